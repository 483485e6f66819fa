// fmod of an unknown number has the sign of its first argument.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <math.h>

int main(void)
{
    signed char n = __VERIFIER_nondet_char();
    float r = fmodf(n, 8);
    assert(r > -8 && r < 8);
    assert(n < 0 ? r <= 0 : r >= 0);
    return 0;
}
