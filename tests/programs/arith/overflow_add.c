// Signed addition that overflows, found when asked for.
//@ verdict: unsafe(overflow)
//@ flags: --check overflow
//~ INPUT x=2147483647
#include "../inputs.h"

int main(void)
{
    int x;
    SYMBOLIC(x);
    return x + 1 > 0; //~ BUG!
}
