// Unions: one memory, several views; also bytes of numbers (little endian) and the bits of a float.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

union view {
    uint32_t whole;
    uint16_t half[2];
    uint8_t byte[4];
    float number;
    struct {
        uint16_t low, high;
    } pair;
};

int main(void)
{
    union view v;
    SYMBOLIC(v.whole);
    uint32_t before = v.whole;
    assert(v.byte[0] == (before & 0xff) && v.byte[3] == before >> 24);
    assert(v.half[1] == before >> 16 && v.pair.low == (before & 0xffff));
    v.byte[1] = 0xab;
    assert(v.whole == ((before & 0xffff00ff) | 0xab00));
    v.half[0] = 0x1234;
    assert((v.whole & 0xffff) == 0x1234 && v.whole >> 16 == before >> 16);
    v.number = 1.0f;
    assert(v.whole == 0x3f800000);
    v.whole = 0xc0490fdb;
    assert(v.number < -3.14f && v.number > -3.15f);
    return 0;
}
