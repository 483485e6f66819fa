// A question that takes a solver long: two factors of a product of primes. Without a limit it is answered; with one, the
// verdict may be unknown, and is never safe.
//@ verdict: unsafe(assert)
//@ rev ag: --reduce ag
#include "two_values.h"

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned long long p = __VERIFIER_nondet_uint() & 0xfff, q = __VERIFIER_nondet_uint() & 0xfff;
    run_both(write_one, write_zero);
    /* 2503 * 3571, and a prime. */
    unsigned long long product = x ? 8938213 : 8938219;
    assert(p < 2 || q < 2 || p * q != product); //~ BUG!
    return 0;
}
