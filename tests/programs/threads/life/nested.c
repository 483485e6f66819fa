// Threads that start threads: a tree of depth two whose leaves count.
//@ verdict: safe
//@ executions: total=24 blocked=0
//@ flags: --reduce dpor
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int n_leaves;

static void *leaf(void *unused)
{
    n_leaves++;
    return unused;
}

static void *branch(void *unused)
{
    run_team(2, leaf);
    return unused;
}

int main(void)
{
    run_team(2, branch);
    assert(n_leaves == 4);
    return 0;
}
