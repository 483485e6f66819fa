// A summary does not hide that another order comes to something that is not supported.
//@ verdict: unknown
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
//@ reason: inline assembly
#include "two_values.h"

int main(void)
{
    run_both(write_one, write_zero);
    if (x == 1)
        __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
    assert(x >= 0);
    return 0;
}
