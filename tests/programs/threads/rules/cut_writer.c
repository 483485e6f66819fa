// As cut_first, but what is cut is the thread that the others wait for.
//@ verdict: unsafe(assert)
//@ flags: --unwind 3
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include "two_values.h"

static int sum;

static void *add_up(void *unused)
{
    int n = x ? 2 : 20;
    for (int i = 0; i < n; i++)
        sum += 2;
    return unused;
}

static void *idle(void *unused)
{
    return unused;
}

int main(void)
{
    run_both(write_one, write_zero);
    run_both(add_up, idle);
    assert(sum != 4); //~ BUG!
    return 0;
}
