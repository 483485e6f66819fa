// Compiler intrinsics: counting bits, byte order, arithmetic that tells of overflow.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <limits.h>

int main(void)
{
    unsigned x;
    unsigned short h;
    int a;
    SYMBOLIC(x);
    SYMBOLIC(h);
    SYMBOLIC(a);
    int ones = 0;
    for (int i = 0; i < 16; i++)
        ones += h >> i & 1;
    assert(__builtin_popcount(h) == ones);
    assert(__builtin_bswap32(__builtin_bswap32(x)) == x && __builtin_bswap16(h) == (unsigned short)(h << 8 | h >> 8));
    if (x != 0) {
        assert(x >> __builtin_ctz(x) & 1);
        assert(x >> (31 - __builtin_clz(x)) == 1);
    }
    int r;
    assert(__builtin_add_overflow(a, 1, &r) == (a == INT_MAX));
    assert(r == (int)((unsigned)a + 1));
    return 0;
}
