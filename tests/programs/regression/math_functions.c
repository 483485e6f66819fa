// Functions of math.h on known numbers.
//@ verdict: safe
#include <assert.h>
#include <math.h>

int main(void)
{
    volatile double x = 2.5, y = -3.75, tiny = 4.9e-324;
    volatile float f = 2.5f;
    int e;
    double whole;
    float single;
    assert(lround(x) == 3 && llround(y) == -4 && lrint(x) == 2 && llrint(y) == -4);
    assert(lroundf(f) == 3 && lrintf(f) == 2);
    assert(rint(x) == 2 && nearbyint(y) == -4 && round(x) == 3 && trunc(y) == -3);
    assert(frexp(x, &e) == 0.625 && e == 2);
    assert(frexp(tiny, &e) == 0.5 && e == -1073);
    assert(frexp(0.0, &e) == 0 && e == 0);
    assert(frexpf(f, &e) == 0.625f && e == 2);
    assert(ldexp(x, 3) == 20 && scalbn(x, -1) == 1.25 && scalbln(x, 1) == 5 && ldexpf(f, 1) == 5);
    assert(ldexp(1.0, -1074) == tiny && ldexp(1.0, -1076) == 0 && isinf(ldexp(x, 5000)));
    assert(modf(y, &whole) == -0.75 && whole == -3);
    assert(modff(f, &single) == 0.5f && single == 2);
    assert(signbit(modf(-2.0, &whole)) && whole == -2);
    assert(modf(-INFINITY, &whole) == 0 && isinf(whole));
    assert(copysign(x, y) == -2.5 && hypot(3.0, 4.0) == 5 && fabs(cbrt(27.0) - 3) < 1e-9);
    assert(log2(8.0) == 3 && exp2(5.0) == 32 && fmod(y, 2) == -1.75);
    assert(fma(x, 2, 1) == 6 && fdim(x, y) == 6.25 && fdim(y, x) == 0);
    return 0;
}
