// An allocation of symbolic size: writing at the index equal to the size is outside for every size.
//@ verdict: unsafe(memory)
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    unsigned n;
    SYMBOLIC(n);
    klee_assume((n >= 1) & (n <= 8));
    char *p = malloc(n);
    p[n - 1] = 1;
    p[n] = 1; //~ BUG!
    free(p);
    return 0;
}
