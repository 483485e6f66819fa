/* Classes of floating-point numbers, as functions: what the macros of math.h become in older headers, and what programs
 * declare themselves. Computed from the bits, so that symbolic numbers cost no branch.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <math.h>

#undef isnan
#undef isinf
#undef signbit
#undef finite

static uint64_t bits_of(double x)
{
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

static uint32_t bits_of_single(float x)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

#define MAGNITUDE (UINT64_MAX >> 1)
#define INFINITE ((uint64_t)0x7ff << 52)
#define MAGNITUDE_SINGLE (UINT32_MAX >> 1)
#define INFINITE_SINGLE ((uint32_t)0xff << 23)

static int nan_double(double x) { return (bits_of(x) & MAGNITUDE) > INFINITE; }
static int nan_single(float x) { return (bits_of_single(x) & MAGNITUDE_SINGLE) > INFINITE_SINGLE; }

/* 1, -1 or 0. */
static int inf_double(double x)
{
    uint64_t bits = bits_of(x);
    return ((bits & MAGNITUDE) == INFINITE) * (1 - 2 * (int)(bits >> 63));
}

static int inf_single(float x)
{
    uint32_t bits = bits_of_single(x);
    return ((bits & MAGNITUDE_SINGLE) == INFINITE_SINGLE) * (1 - 2 * (int)(bits >> 31));
}

static int finite_double(double x) { return (bits_of(x) & MAGNITUDE) < INFINITE; }
static int finite_single(float x) { return (bits_of_single(x) & MAGNITUDE_SINGLE) < INFINITE_SINGLE; }

WEAK int(isnan)(double x) { return nan_double(x); }
WEAK int __isnan(double x) { return nan_double(x); }
WEAK int isnanf(float x) { return nan_single(x); }
WEAK int __isnanf(float x) { return nan_single(x); }
WEAK int(isinf)(double x) { return inf_double(x); }
WEAK int __isinf(double x) { return inf_double(x); }
WEAK int isinff(float x) { return inf_single(x); }
WEAK int __isinff(float x) { return inf_single(x); }
WEAK int(finite)(double x) { return finite_double(x); }
WEAK int __finite(double x) { return finite_double(x); }
WEAK int finitef(float x) { return finite_single(x); }
WEAK int __finitef(float x) { return finite_single(x); }
WEAK int __signbit(double x) { return (int)(bits_of(x) >> 63); }
WEAK int __signbitf(float x) { return (int)(bits_of_single(x) >> 31); }

/* CBMC's names. */
WEAK _Bool __CPROVER_isnanf(float x) { return nan_single(x); }
WEAK _Bool __CPROVER_isnand(double x) { return nan_double(x); }
WEAK _Bool __CPROVER_isinff(float x) { return inf_single(x) != 0; }
WEAK _Bool __CPROVER_isinfd(double x) { return inf_double(x) != 0; }
WEAK _Bool __CPROVER_isfinitef(float x) { return finite_single(x); }
WEAK _Bool __CPROVER_isfinited(double x) { return finite_double(x); }

/* The numbers of glibc: NaN 0, infinite 1, zero 2, subnormal 3, normal 4. */
WEAK int __fpclassify(double x)
{
    uint64_t magnitude = bits_of(x) & MAGNITUDE;
    int is_normal = (magnitude >> 52 != 0) & (magnitude < INFINITE);
    return (magnitude == INFINITE) + 2 * (magnitude == 0) + 3 * ((magnitude != 0) & (magnitude >> 52 == 0)) +
           4 * is_normal;
}

WEAK int __fpclassifyf(float x)
{
    uint32_t magnitude = bits_of_single(x) & MAGNITUDE_SINGLE;
    int is_normal = (magnitude >> 23 != 0) & (magnitude < INFINITE_SINGLE);
    return (magnitude == INFINITE_SINGLE) + 2 * (magnitude == 0) + 3 * ((magnitude != 0) & (magnitude >> 23 == 0)) +
           4 * is_normal;
}

/* The exponent, with the error numbers of glibc for what has none. */
static int exponent(uint64_t magnitude, int width, int bias, uint64_t infinite)
{
    if (magnitude == 0 || magnitude >= infinite) {
        errno = EDOM;
        return magnitude == infinite ? INT_MAX : INT_MIN;
    }
    int biased = (int)(magnitude >> width);
    if (biased == 0) {
        biased = 1;
        while (!(magnitude >> width & 1)) {
            magnitude <<= 1;
            biased--;
        }
    }
    return biased - bias;
}

WEAK int ilogb(double x) { return exponent(bits_of(x) & MAGNITUDE, 52, 1023, INFINITE); }
WEAK int ilogbf(float x) { return exponent(bits_of_single(x) & MAGNITUDE_SINGLE, 23, 127, INFINITE_SINGLE); }

/* The payload of a NaN is not told apart. */
WEAK double nan(const char *text)
{
    (void)*(const volatile char *)text;
    return __builtin_nan("");
}

WEAK float nanf(const char *text)
{
    (void)*(const volatile char *)text;
    return __builtin_nanf("");
}
