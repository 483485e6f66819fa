// A program that declares malloc with a narrower argument than this target has.
//@ verdict: safe
//@ clang: -w
#include "../inputs.h"

extern void *malloc(unsigned int);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 3)
        return 0;
    char *p = malloc(n);
    return p == 0;
}
