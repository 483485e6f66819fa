// Two loops that count, each reading what the other writes. They are no waits, so it must not matter for a summary whether
// what was read has been changed since: each of the 32 pairs of a read and a write is reversed about once.
//@ verdict: safe
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=1107 full=1107
//@ rev ag:
//@ executions[ag]: total=44
#include "../team.h"
#include <assert.h>

#define ROUNDS 4

static int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return unused;
}

int main(void)
{
    run_pair(add_to_i, add_to_j);
    assert(i != 0);
    return 0;
}
