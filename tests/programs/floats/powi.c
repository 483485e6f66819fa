// Powers with whole exponents are products, of symbolic numbers as well.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    volatile double three = 3;
    volatile int four = 4;
    assert(__builtin_powi(three, four) == 81 && __builtin_powi(three, -1) == 1 / three);
    assert(__builtin_powif(2.0f, four) == 16 && __builtin_powi(three, 0) == 1);
    float x = __VERIFIER_nondet_float();
    __VERIFIER_assume(x > 1 && x < 2);
    assert(__builtin_powif(x, 2) == x * x);
    return 0;
}
