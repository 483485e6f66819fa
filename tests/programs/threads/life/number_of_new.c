// The address of a block that a thread makes reaches another one as a number: the search begins anew, once, with
// everything shared.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_ulong address;

static void *make(void *unused)
{
    int *fresh = malloc(sizeof(int));
    *fresh = 1;
    address = (unsigned long)fresh ^ 1;
    assert(*fresh == 1); //~ BUG!
    return unused;
}

static void *change(void *unused)
{
    if (address)
        *(int *)(address ^ 1) = 3;
    return unused;
}

int main(void)
{
    run_pair(make, change);
    return 0;
}
