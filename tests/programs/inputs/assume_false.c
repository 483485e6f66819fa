// An assumption that cannot hold: nothing behind it is reached.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x > 5) {
        klee_assume(x < 3);
        assert(0);
    }
    return 0;
}
