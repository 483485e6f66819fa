// exit in a callee: what the callers still need is not lost.
//@ verdict: safe
//@ flags: --check memory,leak
#include "../inputs.h"
#include <stdlib.h>

static void step(int x)
{
    if (x < 0)
        exit(1);
}

int main(void)
{
    char *p = malloc(8);
    char *q[1] = {malloc(8)};
    step(__VERIFIER_nondet_int());
    free(p);
    free(*q);
    return 0;
}
