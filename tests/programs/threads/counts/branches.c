// N branches on inputs, one after the other and within one step: 2^N ways, which all meet again after each branch.
//@ rev dpor4: --reduce dpor
//@ clang[dpor4]: -DN=4
//@ verdict[dpor4]: safe
//@ executions[dpor4]: total=32 full=32 blocked=0
//@ rev ag4:
//@ clang[ag4]: -DN=4
//@ verdict[ag4]: safe
//@ executions[ag4]: total=10 full=1 pruned=9 blocked=0
//@ rev ag8:
//@ clang[ag8]: -DN=8
//@ verdict[ag8]: safe
//@ executions[ag8]: total=18 full=1 pruned=17 blocked=0
//@ rev ag16:
//@ clang[ag16]: -DN=16
//@ verdict[ag16]: safe
//@ executions[ag16]: total=34 full=1 pruned=33 blocked=0
// One of the ways fails, and only if the other thread comes first.
//@ rev dpor_wrong: --reduce dpor --all-bugs
//@ clang[dpor_wrong]: -DN=6 -DWRONG
//@ verdict[dpor_wrong]: unsafe(assert)
//@ executions[dpor_wrong]: total=128 full=127 failed=1 blocked=0
//@ rev ag_wrong: --all-bugs
//@ clang[ag_wrong]: -DN=6 -DWRONG
//@ verdict[ag_wrong]: unsafe(assert)
//@ executions[ag_wrong]: total=19 full=1 pruned=17 failed=1 blocked=0
#include "../team.h"
#include "../../inputs.h"
#include <assert.h>

static int start, sum;

static void *add(void *unused)
{
    int n = start;
    for (int i = 0; i < N; i++) {
        if (__VERIFIER_nondet_int() > 3)
            n++;
        else
            n += 2;
    }
    sum = n;
    return unused;
}

static void *set(void *unused)
{
    start = 1;
    return unused;
}

int main(void)
{
    run_pair(add, set);
#ifdef WRONG
    assert(sum != 2 * N + 1);
#else
    assert(sum >= N && sum <= 2 * N + 1);
#endif
}
