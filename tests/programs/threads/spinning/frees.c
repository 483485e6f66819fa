// A loop that frees a block of its own each time is no mere wait: the second time is an error.
//@ verdict: unsafe(memory)
#include "../team.h"
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int flag;

static void *wait_for_it(void *unused)
{
    char *block = malloc(4);
    while (!flag)
        free(block); //~ BUG!
    return unused;
}

static void *set_it(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    run_pair(wait_for_it, set_it);
    return 0;
}
