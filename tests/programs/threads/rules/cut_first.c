// What a bound cuts is not known to be safe. In the order that is tried first the loop runs into the bound; a later visit
// of the same place stays within it and fails.
//@ verdict: unsafe(assert)
//@ flags: --unwind 3
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include "two_values.h"

int main(void)
{
    run_both(write_one, write_zero);
    int n = x ? 2 : 20, sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2;
    assert(sum != 4); //~ BUG!
    return 0;
}
