// One object read through pointers of other widths and through memcpy, with symbolic content.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[8];
    SYMBOLIC(bytes);
    uint64_t whole;
    memcpy(&whole, bytes, sizeof whole);
    uint32_t low, high;
    memcpy(&low, bytes, 4);
    memcpy(&high, bytes + 4, 4);
    assert(whole == ((uint64_t)high << 32 | low));
    uint16_t across; // straddles the two halves
    memcpy(&across, bytes + 3, 2);
    assert(across == (low >> 24 | (high & 0xff) << 8));
    // Bytes of a number through a character pointer.
    uint32_t number = 0;
    unsigned char *p = (unsigned char *)&number;
    p[2] = bytes[5];
    assert(number == (uint32_t)bytes[5] << 16);
    double d = 2.5;
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    assert(bits == 0x4004000000000000);
    return 0;
}
