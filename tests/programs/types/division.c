// Division truncates towards zero, and the remainder has the sign of the dividend.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    signed char a, b;
    unsigned char c, d;
    SYMBOLIC(a);
    SYMBOLIC(b);
    SYMBOLIC(c);
    SYMBOLIC(d);
    assert(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
    if (b != 0) {
        // For all divisors this takes a solver seconds; a few show as much.
        if (b >= -4 && b <= 4)
            assert(a / b * b + a % b == a);
        assert(a % b == 0 || (a % b < 0) == (a < 0));
    }
    if (d != 0) {
        assert(c / d <= c);
        assert(c % d < d);
    }
    // The only quotient of two bytes that is no byte.
    if (b != 0 && a / b > 127)
        assert(a == -128 && b == -1);
    return 0;
}
