// What is copied is freed by another thread as soon as that has seen the beginning of the copy.
//@ verdict: unsafe(memory)
#include "../team.h"
#include <stdlib.h>
#include <string.h>

static char *block;
static char target[32];

static void *copy(void *unused)
{
    memcpy(target, block, sizeof target); //~ BUG!
    return unused;
}

static void *release(void *unused)
{
    while (!target[0])
        ;
    free(block);
    return unused;
}

int main(void)
{
    block = malloc(64);
    memset(block, 1, 64);
    run_pair(copy, release);
    return 0;
}
