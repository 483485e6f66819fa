// The check subtracts from the size instead of adding to the offset: nothing can wrap.
//@ verdict: safe
#include "../inputs.h"

static char table[64];

static void clear(unsigned offset, unsigned length)
{
    if (length > sizeof table || offset > sizeof table - length)
        return;
    for (unsigned i = 0; i < length; i++)
        table[offset + i] = 0;
}

int main(void)
{
    unsigned offset, length;
    klee_make_symbolic(&offset, sizeof offset, "offset");
    klee_make_symbolic(&length, sizeof length, "length");
    klee_assume(length == 16);
    klee_assume(offset % 16 == 0);
    clear(offset, length);
    return 0;
}
