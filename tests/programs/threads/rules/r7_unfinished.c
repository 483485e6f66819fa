// R7: a state of which some schedules are still to be tried has no summary. From x = 0 all is safe; from x = 1, the
// schedule that is tried first is safe and another is not.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include "two_values.h"

static int y;

static void *take(void *unused)
{
    y = x;
    return unused;
}

static void *make_two(void *unused)
{
    x = x + x;
    return unused;
}

int main(void)
{
    run_both(write_one, write_zero);
    run_both(take, make_two);
    assert(y != 2); //~ BUG!
    return 0;
}
