// A float that is so large that adding one does not change it.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x >= 0.0f && x <= 100000000.0f);
    assert(x + 1.0f > x); //~ BUG!
    return 0;
}
