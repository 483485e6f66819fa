// Setting and clearing a symbolic tag bit does not make a pointer forget its block.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdint.h>
#include <stdlib.h>

int main(void)
{
    char *p = malloc(16), *next = malloc(16);
    uintptr_t tag = (uintptr_t)(__VERIFIER_nondet_int() & 1);
    char *q = (char *)(((uintptr_t)p | tag) & ~(uintptr_t)1);
    q[48] = 1; //~ BUG!
    free(p);
    free(next);
    return 0;
}
