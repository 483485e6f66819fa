// The trailing zeros of 0 are undefined; without the property nothing is known about what follows.
//@ verdict: unknown
#include "../inputs.h"

int main(void)
{
    unsigned x = __VERIFIER_nondet_uint();
    return __builtin_ctz(x) == 32;
}
