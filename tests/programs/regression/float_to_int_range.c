// A conversion to an integer type that cannot hold the number.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
#include "../inputs.h"

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x > 0 && x < 1e11))
        return 0;
    return (int)x == 7; //~ BUG!
}
