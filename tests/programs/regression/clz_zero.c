// The leading zeros of 0 are undefined.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
#include "../inputs.h"

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    return __builtin_clz(x) == 32; //~ BUG!
}
