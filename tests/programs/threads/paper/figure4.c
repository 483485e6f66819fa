// Figure 4 of Guo et al. (ESEC/FSE 2015): two threads count twice, each time with a branch; both counters are inputs.
// Of each counter two threads cannot both see 0 first, so 9 paths are feasible for each of 6 interleavings, of which 4
// are inequivalent (the paper prints 34 instead of 36).
//@ verdict: safe
//@ rev none: --reduce none
//@ executions[none]: total=54 full=54 blocked=0
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=36 full=36 blocked=0
//@ rev ag: --reduce ag
//@ executions[ag]: total=1 full=1 blocked=0
//@ rev no_slice: --reduce ag --no-slice
//@ executions[no_slice]: total=11 full=6 pruned=5 blocked=0
//@ rev summaries: --reduce ag --no-dpor --no-slice
//@ executions[summaries]: total=21 full=6 pruned=15
#include "steps.h"

static int x, y;

/* What the branches do is left open in the figure. */
static void work(void) {}

static int __VERIFIER_atomic_count(int *counter)
{
    return (*counter)++;
}

static void *count(void *unused)
{
    if (__VERIFIER_atomic_count(&x) == 0)
        work();
    else
        work();
    LAST_STEP;
    if (__VERIFIER_atomic_count(&y) == 0)
        work();
    else
        work();
    pthread_exit(unused);
}

int main(void)
{
    pthread_t other;
    x = __VERIFIER_nondet_int();
    y = __VERIFIER_nondet_int();
    pthread_create(&other, 0, count, 0);
    count(0);
}
