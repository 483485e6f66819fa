// A shift by a negative amount.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
#include "../inputs.h"

int main(void)
{
    signed char n;
    SYMBOLIC(n);
    if (n >= 8)
        return 0;
    return 256 >> n == 1; //~ BUG!
}
