// Four bytes read at a symbolic, unaligned place of a byte array.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <string.h>

int main(void)
{
    unsigned char bytes[12];
    for (int i = 0; i < 12; i++)
        bytes[i] = (unsigned char)i;
    unsigned at;
    SYMBOLIC(at);
    klee_assume(at <= 8);
    uint32_t word;
    memcpy(&word, bytes + at, sizeof word);
    assert(word == at * 0x01010101u + 0x03020100u);
    return 0;
}
