// __VERIFIER_assume cuts what does not satisfy it, also late and inside loops.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int a[3];
    for (int i = 0; i < 3; i++) {
        a[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(i == 0 || a[i] > a[i - 1]);
    }
    assert(a[0] < a[2]);
    __VERIFIER_assume(a[2] < a[0] + 3 && a[0] > 0 && a[0] < 1000);
    assert(a[1] == a[0] + 1);
    return 0;
}
