// posix_memalign through a symbolic place allocates once, not once for each time it is resumed.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <stdlib.h>

static void *table[300];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 300)
        return 0;
    if (posix_memalign(&table[i], 16, 8))
        return 1;
    free(table[i]);
    table[i] = 0;
    return 0;
}
