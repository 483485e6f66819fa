// The Ackermann function: deep recursion on concrete values, with a symbolic choice of the arguments.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static unsigned ackermann(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

int main(void)
{
    assert(ackermann(2, 9) == 21);
    assert(ackermann(3, 4) == 125);
    unsigned m = __VERIFIER_nondet_uint();
    klee_assume(m < 3);
    unsigned wanted[3] = {3, 4, 7};
    assert(ackermann(m, 2) == wanted[m]);
    return 0;
}
