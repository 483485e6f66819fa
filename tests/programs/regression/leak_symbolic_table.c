// A block that only a symbolic place of a table points to is not lost.
//@ verdict: safe
//@ flags: --check default,leak
#include "../inputs.h"
#include <stdlib.h>

static int *table[4];

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    table[i] = malloc(4);
    return 0;
}
