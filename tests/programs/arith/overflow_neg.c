// The negation of the smallest number.
//@ verdict: unsafe(overflow)
//@ flags: --check overflow
//~ INPUT x=-9223372036854775808
#include "../inputs.h"

int main(void)
{
    long long x;
    SYMBOLIC(x);
    return x < 0 ? -x > 5 : 0; //~ BUG!
}
