// Shifts by amounts that were checked.
//@ verdict: safe
//@ flags: --check default,overflow
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned n, x;
    SYMBOLIC(n);
    SYMBOLIC(x);
    unsigned rotated = n % 32 == 0 ? x : x << n % 32 | x >> (32 - n % 32);
    assert(n != 32 || rotated == x);
    assert(n != 4 || rotated == (x << 4 | x >> 28));
    return 0;
}
