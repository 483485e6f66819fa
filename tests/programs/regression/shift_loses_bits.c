// A signed left shift whose result does not fit.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
#include "../inputs.h"

int main(void)
{
    int x = __VERIFIER_nondet_int();
    unsigned u = 0xffffffffu << 4;
    if (x < 0 || x > 0x40000000)
        return 0;
    int y = x << 1; //~ BUG!
    return y == (int)u;
}
