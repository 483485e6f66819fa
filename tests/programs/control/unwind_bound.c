// A loop without an end in sight: with a bound set by the user the verdict holds within the bound.
//@ verdict: safe(bounded)
//@ flags: --unwind 5
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint(), steps = 0;
    while (n > 1) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        steps++;
    }
    assert(steps < 8);
    return 0;
}
