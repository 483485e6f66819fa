/* Complex numbers: what the compiler calls to multiply and divide them (Annex G of C), and the functions of complex.h
 * that give parts of a number.
 *
 * Quotients are computed by Smith's method, which does not overflow where the quotient does not; their last digits may
 * differ from those of a compiler's own library, which C leaves open. Those of floats are computed in double.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <complex.h>

/* Provided by the engine. */
double hypot(double x, double y);
double atan2(double y, double x);
float hypotf(float x, float y);
float atan2f(float y, float x);

/* One where `value` is infinite, else zero, with its sign. */
static double unit(double value) { return __builtin_copysign(!!__builtin_isinf(value), value); }

/* Zero with the sign of a NaN, other values as they are. */
static double number(double value) { return __builtin_isnan(value) ? __builtin_copysign(0, value) : value; }

static double complex pair(double x, double y)
{
    double complex z;
    __real__ z = x;
    __imag__ z = y;
    return z;
}

/* A product of which both parts came out as NaN: infinite if a factor is, or if it overflowed on the way. */
static double complex recovered(double a, double b, double c, double d, int has_overflowed, double complex nans)
{
    int again = 0;
    if (__builtin_isinf(a) || __builtin_isinf(b)) {
        a = unit(a), b = unit(b), c = number(c), d = number(d);
        again = 1;
    }
    if (__builtin_isinf(c) || __builtin_isinf(d)) {
        c = unit(c), d = unit(d), a = number(a), b = number(b);
        again = 1;
    }
    if (!again && has_overflowed) {
        a = number(a), b = number(b), c = number(c), d = number(d);
        again = 1;
    }
    return again ? pair(__builtin_inf() * (a * c - b * d), __builtin_inf() * (a * d + b * c)) : nans;
}

WEAK double complex __muldc3(double a, double b, double c, double d)
{
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double complex product = pair(ac - bd, ad + bc);
    if (!__builtin_isnan(__real__ product) || !__builtin_isnan(__imag__ product))
        return product;
    int has_overflowed = __builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc);
    return recovered(a, b, c, d, has_overflowed, product);
}

WEAK float complex __mulsc3(float a, float b, float c, float d)
{
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float complex product;
    __real__ product = ac - bd;
    __imag__ product = ad + bc;
    if (!__builtin_isnan(__real__ product) || !__builtin_isnan(__imag__ product))
        return product;
    int has_overflowed = __builtin_isinf(ac) || __builtin_isinf(bd) || __builtin_isinf(ad) || __builtin_isinf(bc);
    return (float complex)recovered(a, b, c, d, has_overflowed, product);
}

/* A quotient of which both parts came out as NaN. */
static double complex special(double a, double b, double c, double d, double complex nans)
{
    if (c == 0 && d == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
        double infinity = __builtin_copysign(__builtin_inf(), c);
        return pair(infinity * a, infinity * b);
    }
    if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) && __builtin_isfinite(d)) {
        a = unit(a), b = unit(b);
        return pair(__builtin_inf() * (a * c + b * d), __builtin_inf() * (b * c - a * d));
    }
    if ((__builtin_isinf(c) || __builtin_isinf(d)) && __builtin_isfinite(a) && __builtin_isfinite(b)) {
        c = unit(c), d = unit(d);
        return pair(0 * (a * c + b * d), 0 * (b * c - a * d));
    }
    return nans;
}

static double complex quotient(double a, double b, double c, double d)
{
    double x, y;
    if (__builtin_fabs(c) < __builtin_fabs(d)) {
        double ratio = c / d, scale = c * ratio + d;
        x = (a * ratio + b) / scale;
        y = (b * ratio - a) / scale;
    } else {
        double ratio = d / c, scale = d * ratio + c;
        x = (b * ratio + a) / scale;
        y = (b - a * ratio) / scale;
    }
    double complex result = pair(x, y);
    return __builtin_isnan(x) && __builtin_isnan(y) ? special(a, b, c, d, result) : result;
}

WEAK double complex __divdc3(double a, double b, double c, double d) { return quotient(a, b, c, d); }
WEAK float complex __divsc3(float a, float b, float c, float d) { return (float complex)quotient(a, b, c, d); }

WEAK double creal(double complex z) { return __real__ z; }
WEAK double cimag(double complex z) { return __imag__ z; }
WEAK float crealf(float complex z) { return __real__ z; }
WEAK float cimagf(float complex z) { return __imag__ z; }
WEAK double complex conj(double complex z) { return pair(__real__ z, -__imag__ z); }
WEAK float complex conjf(float complex z) { return (float complex)pair(__real__ z, -__imag__ z); }
WEAK double cabs(double complex z) { return hypot(__real__ z, __imag__ z); }
WEAK float cabsf(float complex z) { return hypotf(__real__ z, __imag__ z); }
WEAK double carg(double complex z) { return atan2(__imag__ z, __real__ z); }
WEAK float cargf(float complex z) { return atan2f(__imag__ z, __real__ z); }

static double complex projected(double complex z)
{
    if (!__builtin_isinf(__real__ z) && !__builtin_isinf(__imag__ z))
        return z;
    return pair(__builtin_inf(), __builtin_copysign(0, __imag__ z));
}

WEAK double complex cproj(double complex z) { return projected(z); }
WEAK float complex cprojf(float complex z) { return (float complex)projected(z); }
