// R3: all schedules must be safe, not one of them. From x = 0 both orders of the last two threads are; from x = 1, only
// the one that doubles first is.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include "two_values.h"

static void *twice(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x * 2;
    __VERIFIER_atomic_end();
    return unused;
}

static void *one_more(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    run_both(write_one, write_zero);
    run_both(twice, one_more);
    assert(x < 4); //~ BUG!
    return 0;
}
