// Figure 2 of Guo et al. (ESEC/FSE 2015) with a bound that lets one of the six interleavings fail, for one input: the
// first read sees 11, the second 10. The input decides that interleaving both ways, so there are seven executions.
//@ verdict: unsafe(assert)
//@ flags: --all-bugs
//@ rev none: --reduce none
//@ executions[none]: total=7 full=6 failed=1 blocked=0
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=7 full=6 failed=1 blocked=0
//@ rev ag: --reduce ag
//@ executions[ag]: total=7 full=2 pruned=4 failed=1
//@ rev summaries: --reduce ag --no-dpor
//@ executions[summaries]: total=7 full=2 pruned=4 failed=1
#include "steps.h"
#include <assert.h>

static int x;

static void *write_twice(void *unused)
{
    x = 10;
    LAST_STEP;
    x = 20;
    return unused;
}

int main(void)
{
    pthread_t writer;
    x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x <= 11);
    pthread_create(&writer, 0, write_twice, 0);
    int a = x;
    int b = x;
    pthread_join(writer, 0);
    assert(a <= b); //~ BUG!
    return 0;
}
