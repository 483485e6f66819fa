// A shift by the width of the type.
//@ verdict: unsafe(overflow)
//@ flags: --check overflow
//~ INPUT n=32
#include "../inputs.h"

int main(void)
{
    unsigned n;
    SYMBOLIC(n);
    if (n > 32)
        return 0;
    return (1u << n) == 8; //~ BUG!
}
