// The same program under every reduction: whoever explores more finds no more. Two threads write three times each to one
// place: 20 orders, and in half of them the first thread has the last word.
//@ verdict: unsafe(assert)
//@ flags: --all-bugs
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=20 full=10 failed=10 blocked=0
//@ rev ag: --reduce ag
//@ rev none: --reduce none
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int place;

static void *ones(void *unused)
{
    for (int i = 0; i < 3; i++)
        place = 1;
    return unused;
}

static void *twos(void *unused)
{
    for (int i = 0; i < 3; i++)
        place = 2;
    return unused;
}

int main(void)
{
    run_pair(ones, twos);
    assert(place == 2); //~ BUG!
    return 0;
}
