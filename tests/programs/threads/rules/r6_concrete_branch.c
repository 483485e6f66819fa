// R6: a branch is a guard although no input has a part in it. With x = 0 it is not taken; with x = 1 it is.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include "two_values.h"

int main(void)
{
    run_both(write_one, write_zero);
    if (x == 1)
        assert(0); //~ BUG!
    return 0;
}
