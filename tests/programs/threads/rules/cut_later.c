// A summary made within a bound does not hide that another order runs into it: the verdict is not a plain `safe`.
//@ verdict: safe(bounded)
//@ flags: --unwind 3
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include "two_values.h"

int main(void)
{
    run_both(write_one, write_zero);
    int n = x ? 20 : 2, sum = 0;
    for (int i = 0; i < n; i++)
        sum += 2;
    assert(sum != 3);
    return 0;
}
