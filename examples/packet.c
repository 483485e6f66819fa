// A bounds check that a 32-bit overflow gets around.
//
//   selvedge check examples/packet.c
//
// `offset + length` wraps: offset = 4294967295 and length = 1 add up to 0, which is not above CAPACITY.
// Selvedge finds such values and shows the write outside of `buffer`.
// The correct check is `length > CAPACITY || offset > CAPACITY - length`.

#include <stdint.h>

#define CAPACITY 64u

extern uint32_t __VERIFIER_nondet_uint(void); // any value: the input of the analysis

static unsigned char buffer[CAPACITY];

static int fill(uint32_t offset, uint32_t length, unsigned char value)
{
    if (offset + length > CAPACITY)
        return -1;
    for (uint32_t i = 0; i < length; i++)
        buffer[offset + i] = value;
    return 0;
}

int main(void)
{
    uint32_t offset = __VERIFIER_nondet_uint();
    uint32_t length = __VERIFIER_nondet_uint();
    return fill(offset, length, 0xff) == 0 ? 0 : 1;
}
