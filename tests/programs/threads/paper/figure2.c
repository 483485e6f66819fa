// Figure 2 of Guo et al. (ESEC/FSE 2015): one thread writes twice what the other reads twice. Six interleavings, all
// inequivalent; what the assertion needs is the same in most of them.
// With LIMIT=11 one of the six can fail, for one input: the first read sees 11, the second 10. The input decides that
// interleaving both ways, so there are seven executions.
//@ verdict: safe
//@ flags: --all-bugs
//@ rev none: --reduce none
//@ executions[none]: total=6 full=6 blocked=0
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=6 full=6 blocked=0
//@ rev ag: --reduce ag
//@ executions[ag]: total=5 full=1 pruned=4 blocked=0
//@ rev summaries: --reduce ag --no-dpor
//@ executions[summaries]: total=5 full=1 pruned=4 blocked=0
//@ rev none_bug: --reduce none
//@ clang[none_bug]: -DLIMIT=11
//@ verdict[none_bug]: unsafe(assert)
//@ executions[none_bug]: total=7 full=6 failed=1 blocked=0
//@ rev dpor_bug: --reduce dpor
//@ clang[dpor_bug]: -DLIMIT=11
//@ verdict[dpor_bug]: unsafe(assert)
//@ executions[dpor_bug]: total=7 full=6 failed=1 blocked=0
//@ rev ag_bug: --reduce ag
//@ clang[ag_bug]: -DLIMIT=11
//@ verdict[ag_bug]: unsafe(assert)
//@ executions[ag_bug]: total=6 full=1 pruned=4 failed=1
//@ rev summaries_bug: --reduce ag --no-dpor
//@ clang[summaries_bug]: -DLIMIT=11
//@ verdict[summaries_bug]: unsafe(assert)
//@ executions[summaries_bug]: total=6 full=1 pruned=4 failed=1
#include "steps.h"
#include <assert.h>

#ifndef LIMIT
#define LIMIT 10
#endif

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
    __VERIFIER_assume(x <= LIMIT);
    pthread_create(&writer, 0, write_twice, 0);
    int a = x;
    int b = x;
    pthread_join(writer, 0);
    assert(a <= b); //~ BUG!
    return 0;
}
