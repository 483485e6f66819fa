// free of an array on the stack, which the short path uses instead of an allocation.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    char small[16], *p = small;
    unsigned n = __VERIFIER_nondet_uint();
    if (n > sizeof small)
        p = malloc(64);
    p[0] = 'x';
    free(p); //~ BUG!
    return 0;
}
