// Shifts left and right, of signed and unsigned values, by known and unknown amounts.
//@ verdict: safe
//@ flags: --check default,overflow
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned x, n;
    int y;
    uint64_t z;
    SYMBOLIC(x);
    SYMBOLIC(n);
    SYMBOLIC(y);
    SYMBOLIC(z);
    klee_assume(n < 32);
    assert(x << 3 == x * 8);
    assert(x >> 4 == x / 16);
    // Right shift of a negative value rounds towards minus infinity.
    assert(y >> 1 == (y - (y & 1)) / 2);
    assert(y >> 31 == (y < 0 ? -1 : 0));
    // An unknown amount.
    assert((1u << n) != 0 && ((1u << n) & ((1u << n) - 1)) == 0);
    assert(x >> n << n == (x & ~((1u << n) - 1)));
    assert(((x << n) | (x >> 1 >> (31 - n))) == ((x >> 1 >> (31 - n)) | (x << n)));
    assert((uint32_t)(z >> 32) == z / 0x100000000);
    return 0;
}
