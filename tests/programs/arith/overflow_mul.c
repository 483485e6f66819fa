// Signed multiplication that overflows for the largest numbers that pass the check.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
//~ INPUT x=46341
#include "../inputs.h"

int main(void)
{
    int x;
    SYMBOLIC(x);
    if (x < 0 || x > 46341)
        return 0;
    return x * x == 16; //~ BUG!
}
