// Two calls need not give the same value.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    assert(a <= b); //~ BUG!
    return 0;
}
