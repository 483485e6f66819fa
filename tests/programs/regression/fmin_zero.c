// fmin and fmax choose between zeros of different signs in the same way for known and unknown numbers.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <math.h>

int main(void)
{
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();
    double (*volatile smaller)(double, double) = fmin;
    if (x == 0 && !signbit(x) && y == 0 && signbit(y)) {
        assert(signbit(fmin(x, y)) == signbit(fmin(0.0, -0.0)));
        assert(signbit(fmin(y, x)) == signbit(fmin(-0.0, 0.0)));
        assert(signbit(fmax(x, y)) == signbit(fmax(0.0, -0.0)));
        assert(signbit(fmax(y, x)) == signbit(fmax(-0.0, 0.0)));
        assert(signbit(smaller(0.0, -0.0)) == signbit(fmin(x, y)));
    }
    return 0;
}
