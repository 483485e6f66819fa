// A symbolic number is rounded to a whole one in any mode.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <fenv.h>
#include <math.h>

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 10);
    fesetround(FE_UPWARD);
    assert(rint(x) >= x);
    assert(-rint(-x) <= x);
    return 0;
}
