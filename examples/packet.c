// A bounds check that a 32-bit overflow gets around.
//
//   selvedge check examples/packet.c
//
// The sum `offset + length` wraps: with offset = 4294967295 and length = 1 it is 0, which is not above SIZE.
// Selvedge finds two such numbers and shows the read outside of `packet`.
// The correct check is `length > SIZE || offset > SIZE - length`.

#include <stdbool.h>
#include <stdint.h>

#define SIZE 64u
#define MARK 0x7e

extern uint32_t __VERIFIER_nondet_uint(void); // any value: an input of the analysis

static unsigned char packet[SIZE];

// Whether the field at `offset` begins and ends with a mark.
static bool is_framed(uint32_t offset, uint32_t length)
{
    if (length == 0 || offset + length > SIZE)
        return false;
    return packet[offset] == MARK && packet[offset + length - 1] == MARK;
}

int main(void)
{
    // Both come from the network.
    uint32_t offset = __VERIFIER_nondet_uint();
    uint32_t length = __VERIFIER_nondet_uint();
    return is_framed(offset, length);
}
