// The smallest int has no absolute value.
//@ verdict: unsafe(overflow)
//@ flags: --check default,overflow
#include "../inputs.h"
#include <stdlib.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    return abs(x) > 5; //~ BUG!
}
