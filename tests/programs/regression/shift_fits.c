// Signed shifts that fit, and unsigned ones that lose bits.
//@ verdict: safe
//@ flags: --check default,overflow
#include "../inputs.h"

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned u = (unsigned)x << 4;
    if (x < 0 || x > 0x3fffffff)
        return 0;
    return (x << 1) == (int)(u >> 4);
}
