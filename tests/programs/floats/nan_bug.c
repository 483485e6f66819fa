// Not less and not more does not mean equal: the number may be no number.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (x < 1.0)
        return 1;
    if (x > 1.0)
        return 2;
    assert(x == 1.0); //~ BUG!
    return 0;
}
