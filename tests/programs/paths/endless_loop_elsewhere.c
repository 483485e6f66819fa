// A loop that no bound ends does not hide a bug on another path.
//@ verdict: unsafe(assert)
//@ flags: --timeout 60
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (__VERIFIER_nondet_int() < 7)
        for (int i = 0; i < n; i++)
            ;
    else
        assert(n != 12345); //~ BUG!
    return 0;
}
