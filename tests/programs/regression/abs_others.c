// All other ints have one.
//@ verdict: safe
//@ flags: --check default,overflow
#include "../inputs.h"
#include <limits.h>
#include <stdlib.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    long y = __VERIFIER_nondet_long();
    if (x == INT_MIN || y == LONG_MIN)
        return 0;
    return abs(x) < 0 || labs(y) < 0 || llabs(y) < 0;
}
