// CBMC's questions about floating-point numbers, and its fence.
//@ verdict: safe
#include <assert.h>

int main(void)
{
    volatile double zero = 0;
    double x = __VERIFIER_nondet_double();
    if (__CPROVER_isfinited(x)) {
        assert(x - x == 0);
        assert(!__CPROVER_isnand(x) && !__CPROVER_isinfd(x));
    }
    __CPROVER_fence("WWfence", "RRfence", "RWfence", "WRfence");
    assert(__CPROVER_isinfd(-1 / zero) && __CPROVER_isnand(zero / zero));
    assert(__CPROVER_isinff((float)(1 / zero)) && !__CPROVER_isnanf((float)zero));
    return 0;
}
