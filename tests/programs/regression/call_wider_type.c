// An int passed where the function takes a long: what is above its 32 bits is not known.
//@ verdict: unsafe(assert)
#include <assert.h>

static int is_small(long x) { return x < 100; }

int main(void)
{
    int (*f)(int) = (int (*)(int))is_small;
    int small = f(4);
    assert(small); //~ BUG!
    return 0;
}
