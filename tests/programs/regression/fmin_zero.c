// fmin and fmax of zeros with different signs give either, for known and unknown numbers.
//@ verdict: safe
//@ rev zero:
//@ rev known:
//@ clang[known]: -DKNOWN
//@ verdict[known]: unsafe(assert)
//@ rev open:
//@ clang[open]: -DOPEN
//@ verdict[open]: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <math.h>

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    double (*volatile smaller)(double, double) = fmin;
    if (x == 0 && !signbit(x) && y == 0 && signbit(y)) {
        assert(fmin(x, y) == 0 && fmax(y, x) == 0 && smaller(0.0, -0.0) == 0);
#if defined KNOWN
        assert(signbit(smaller(0.0, -0.0)));
#elif defined OPEN
        assert(!signbit(fmax(x, y)));
#endif
    }
    return 0;
}
