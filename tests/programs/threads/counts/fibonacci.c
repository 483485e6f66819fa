// Two threads add each other's number to their own, N times; the largest result is a Fibonacci number.
// Each addition is two reads and a write on plain integers.
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev n2:
//@ clang[n2]: -DN=2
//@ executions[n2]: total=19 full=19 blocked=0
//@ rev n3:
//@ clang[n3]: -DN=3
//@ executions[n3]: total=141 full=141 blocked=0
//@ rev n4:
//@ clang[n4]: -DN=4
//@ executions[n4]: total=1107 full=1107 blocked=0
//@ rev n5:
//@ clang[n5]: -DN=5
//@ executions[n5]: total=8953 full=8953 blocked=0
//@ rev too_low:
//@ clang[too_low]: -DN=5 -DLIMIT=143
//@ verdict[too_low]: unsafe(assert)
//@ executions[too_low]: failed=1
#include "../team.h"
#include <assert.h>

#ifndef N
#define N 5
#endif
#ifndef LIMIT
#define LIMIT 144 /* The twelfth Fibonacci number: what five rounds can reach. */
#endif

static int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    for (int k = 0; k < N; k++)
        i += j;
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < N; k++)
        j += i;
    return unused;
}

int main(void)
{
    run_pair(add_to_i, add_to_j);
    assert(i <= LIMIT && j <= LIMIT); //~ BUG!
    return 0;
}
