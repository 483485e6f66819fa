// An allocation of symbolic size, used within its bounds.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

int main(void)
{
    unsigned n;
    SYMBOLIC(n);
    klee_assume((n >= 1) & (n <= 8));
    char *p = malloc(n);
    for (unsigned i = 0; i < n; i++)
        p[i] = (char)i;
    assert(p[n - 1] == (char)(n - 1));
    free(p);
    return 0;
}
