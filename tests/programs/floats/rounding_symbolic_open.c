// Arithmetic on symbolic numbers is to nearest only; in another mode the verdict is unknown.
//@ verdict: unknown
#include "../inputs.h"
#include <assert.h>
#include <fenv.h>

int main(void)
{
    double x = __VERIFIER_nondet_double();
    __VERIFIER_assume(x > 0 && x < 10);
    fesetround(FE_DOWNWARD);
    assert(x + 1e300 == 1e300);
    return 0;
}
