// All integer widths: sizes, wrapping of unsigned types, promotion of small ones.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    assert(sizeof(char) == 1 && sizeof(short) == 2 && sizeof(int) == 4 && sizeof(long long) == 8);
    uint8_t a, b;
    uint16_t c;
    uint32_t d;
    uint64_t e;
    int8_t f;
    _Bool g;
    SYMBOLIC(a);
    SYMBOLIC(b);
    SYMBOLIC(c);
    SYMBOLIC(d);
    SYMBOLIC(e);
    SYMBOLIC(f);

    // Promotion: the sum of two bytes is an int and does not wrap.
    assert(a + b <= 510);
    assert((uint8_t)(a + b) == (a + b) % 256);
    // A narrower type keeps the low bits.
    assert((uint8_t)c == (c & 0xff));
    assert((uint16_t)d == (d & 0xffff));
    assert((uint32_t)e == (e & 0xffffffff));
    // Unsigned arithmetic wraps.
    assert(d + 1 > d || d == UINT32_MAX);
    assert((e ^ d) - e == (e ^ d) + (~e + 1));
    // Signed values keep their value when they widen, and change it when they turn unsigned.
    assert((int)f >= -128 && (int)f <= 127);
    assert((uint8_t)f == (f < 0 ? f + 256 : f));
    assert((uint64_t)f >> 63 == (f < 0));
    // A boolean is whether the value is not zero.
    g = e;
    assert(g == (e != 0));
    assert(sizeof g == 1);
    return 0;
}
