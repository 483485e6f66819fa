// A 32-bit sum wraps, so the bounds check passes for an offset far outside the buffer.
//@ verdict: unsafe(memory)
//~ INPUT offset=4294967280
#include "../inputs.h"

static char table[64];

static void clear(unsigned offset, unsigned length)
{
    if (offset + length > sizeof table)
        return;
    for (unsigned i = 0; i < length; i++)
        table[offset + i] = 0; //~ BUG!
}

int main(void)
{
    unsigned offset, length;
    klee_make_symbolic(&offset, sizeof offset, "offset");
    klee_make_symbolic(&length, sizeof length, "length");
    // Only a sum of exactly 2^32 wraps with these, so the offset is forced.
    klee_assume(length == 16);
    klee_assume(offset % 16 == 0);
    clear(offset, length);
    return 0;
}
