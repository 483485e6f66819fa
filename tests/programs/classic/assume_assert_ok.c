// What follows from the assumptions holds.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=1 full=1
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume((x > 10) & (x < 20));
    klee_assume(x % 7 == 0);
    assert(x == 14);
    return 0;
}
