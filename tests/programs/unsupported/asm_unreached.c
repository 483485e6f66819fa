// Inline assembly that no input reaches does no harm.
//@ verdict: safe
#include "../inputs.h"

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x % 2 == 0 && x % 2 == 1)
        __asm__ volatile("hlt");
    return 0;
}
