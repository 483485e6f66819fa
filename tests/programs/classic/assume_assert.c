// Assumptions leave one value, and for that one the assertion fails.
//@ verdict: unsafe(assert)
//~ INPUT x=14
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_assume((x > 10) & (x < 20));
    klee_assume(x % 7 == 0);
    assert(x != 14); //~ BUG!
    return 0;
}
