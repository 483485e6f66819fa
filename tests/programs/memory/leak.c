// One path loses the only pointer to an allocation.
//@ verdict: unsafe(leak)
//@ flags: --check leak
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    int *p = malloc(4); //~ BUG!
    if (__VERIFIER_nondet_int() > 0)
        p = malloc(8); // the first one is lost here //~ BUG!
    free(p);
    return 0; //~ BUG!
}
