// Small integers survive the way through float and back; truncation rounds towards zero.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    short i = __VERIFIER_nondet_short();
    float f = i;
    assert((short)f == i);
    assert((f < 0) == (i < 0));
    double half = i / 2.0;
    assert((int)half == i / 2);
    return 0;
}
