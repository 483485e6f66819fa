// R4: a pruned state is as safe as the summary that pruned it, not more. From x = 0, the state after the order that
// leaves z = 1 is pruned by the summary that the other order made; what that summary asks of x must reach the states
// before it.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include "two_values.h"

static int z;

static void *z_is_one(void *unused)
{
    z = 1;
    return unused;
}

static void *z_is_five(void *unused)
{
    z = 5;
    return unused;
}

int main(void)
{
    run_both(write_one, write_zero);
    run_both(z_is_one, z_is_five);
    assert(x + z != 2); //~ BUG!
    return 0;
}
