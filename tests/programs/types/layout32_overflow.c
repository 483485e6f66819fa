// The product wraps with a 32-bit size_t, and the allocation is too small.
//@ verdict: unsafe(memory)
//@ clang: -m32
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    unsigned n = 0x40000001;
    int *a = malloc(n * sizeof *a); /* 4 bytes */
    a[0] = 1;
    a[1] = 2; //~ BUG!
    free(a);
    return 0;
}
