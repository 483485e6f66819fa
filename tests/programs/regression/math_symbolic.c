// sqrt called by name and fmod are operations of the solver.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <math.h>

int main(void)
{
    float x = __VERIFIER_nondet_float();
    float (*volatile root)(float) = sqrtf;
    if (!(x >= 4 && x <= 16))
        return 0;
    float r = root(x);
    assert(r >= 2 && r <= 4);
    return 0;
}
