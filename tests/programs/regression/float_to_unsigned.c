// A conversion that C leaves undefined has one meaning, for concrete and for symbolic values.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    double d = __VERIFIER_nondet_double();
    if (!(d <= -2.0 && d >= -3.0))
        return 0;
    unsigned u = (unsigned)d;
    assert(u != 0xffffffffu); //~ BUG!
    return 0;
}
