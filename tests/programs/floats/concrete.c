// Floating point on concrete values gives exactly what the machine gives.
//@ verdict: safe
#include <assert.h>
#include <math.h>
#include <string.h>

static unsigned long long bits(double d)
{
    unsigned long long b;
    memcpy(&b, &d, sizeof b);
    return b;
}

int main(void)
{
    volatile double tenth = 0.1, fifth = 0.2, zero = 0.0;
    volatile float third = 1.0f / 3.0f;
    assert(tenth + fifth != 0.3 && bits(tenth + fifth) == 0x3fd3333333333334);
    assert((double)third != 1.0 / 3.0 && (float)(1.0 / 3.0) == third);
    assert(1.0 / zero > 1e308 && -1.0 / zero < -1e308);
    double nan = zero / zero;
    assert(nan != nan && !(nan < 1.0) && !(nan >= 1.0) && isnan(nan));
    assert((int)-2.9 == -2 && (unsigned char)200.7 == 200 && (float)16777217 == 16777216.0f);
    assert(-zero == zero && bits(-zero) != bits(zero) && signbit(-zero));
    assert(sqrt(2.0) * sqrt(2.0) != 2.0 && fabs(-1.5) == 1.5 && floor(-1.5) == -2.0);
    double sum = 0;
    for (int i = 0; i < 10; i++)
        sum += tenth;
    assert(sum != 1.0 && sum > 0.9999999 && sum < 1.0);
    assert((long long)1e18 == 1000000000000000000ll && (double)(1ull << 63) == 9223372036854775808.0);
    return 0;
}
