// Arithmetic, conversions and texts follow the rounding mode, which is saved and restored with the environment.
//@ verdict: safe
#include <assert.h>
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile double one = 1, three = 3, largest = DBL_MAX, smallest = 0x1p-1074;
static volatile long odd = (1L << 53) + 1;

int main(void)
{
    double near = one / three;
    assert(fegetround() == FE_TONEAREST);
    assert(fesetround(FE_UPWARD) == 0);
    double up = one / three;
    assert(largest + one == INFINITY && -largest - one == -largest);
    assert(smallest / three == smallest);
    assert((double)odd == 0x1p53 + 2 && (float)(one + smallest) == 1 + FLT_EPSILON);

    fenv_t saved;
    assert(feholdexcept(&saved) == 0 && fegetround() == FE_UPWARD);
    assert(fesetround(FE_DOWNWARD) == 0);
    double down = one / three;
    assert(down < up && (near == down || near == up));
    assert(largest * three == DBL_MAX);
    assert(signbit(one - one));
    assert(rint(2.5 * one) == 2 && rint(-2.5 * one) == -3 && lrint(2.7 * one) == 2 && round(2.7 * one) == 3);
    char text[40];
    snprintf(text, sizeof text, "%.1f %.1f %.0e", 0.19 * one, -0.11 * one, 9.9 * one);
    assert(strcmp(text, "0.1 -0.2 9e+00") == 0);
    assert(strtod("0.1", 0) < 0.1);

    assert(fesetround(FE_TOWARDZERO) == 0);
    assert(smallest / three == 0 && -largest * three == -DBL_MAX);

    assert(fesetenv(&saved) == 0 && fegetround() == FE_UPWARD);
    double root = sqrt(three);
    assert(fesetenv(FE_DFL_ENV) == 0 && fegetround() == FE_TONEAREST);
    assert(root > sqrt(three));
    assert(fesetround(17) != 0);
    return 0;
}
