// Inline assembly that does something cannot be followed: the verdict is unknown and names the line.
//@ verdict: unknown
//@ reason: asm_reached.c:13
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x == 5) {
        int y;
        // The next line is line 13.
        __asm__("leal 1(%1), %0" : "=r"(y) : "r"(x));
        assert(y == 6);
    }
    return 0;
}
