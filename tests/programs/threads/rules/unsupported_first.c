// What is not supported is not known to be safe: the order that is tried first comes to it, another comes to a failure.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include "two_values.h"

int main(void)
{
    run_both(write_one, write_zero);
    if (x == 0)
        __asm__ volatile("cpuid" ::: "eax", "ebx", "ecx", "edx");
    assert(x == 0); //~ BUG!
    return 0;
}
