// Figure 2 of Guo et al. (ESEC/FSE 2015): one thread writes twice what the other reads twice. Six interleavings, all
// inequivalent; what the assertion needs is the same in most of them.
//@ verdict: safe
//@ rev none: --reduce none
//@ executions[none]: total=6 full=6 blocked=0
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=6 full=6 blocked=0
//@ rev ag: --reduce ag
//@ executions[ag]: total=5 full=1 pruned=4 blocked=0
//@ rev summaries: --reduce ag --no-dpor
//@ executions[summaries]: total=5 full=1 pruned=4 blocked=0
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
    __VERIFIER_assume(x <= 10);
    pthread_create(&writer, 0, write_twice, 0);
    int a = x;
    int b = x;
    pthread_join(writer, 0);
    assert(a <= b);
    return 0;
}
