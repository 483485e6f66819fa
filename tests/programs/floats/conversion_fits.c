// The largest and smallest numbers that fit are converted exactly.
//@ verdict: safe
#include <assert.h>
#include "../inputs.h"

int main(void)
{
    double low = -2147483648.9, high = 2147483647.9, least = -0.9;
    assert((int)low == -2147483647 - 1 && (int)high == 2147483647 && (unsigned)least == 0);
    double d;
    SYMBOLIC(d);
    if (d == low)
        assert((int)d == -2147483647 - 1);
    if (d == high)
        assert((int)d == 2147483647);
    if (d == least)
        assert((unsigned)d == 0);
    if (d == -9223372036854775808.0)
        assert((long)d == -9223372036854775807L - 1);
    if (d == 4294967295.5)
        assert((unsigned)d == 4294967295u);
    return 0;
}
