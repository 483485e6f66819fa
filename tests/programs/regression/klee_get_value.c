// Asking for a value of a symbolic expression does not lose the others.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <klee/klee.h>

int main(void)
{
    unsigned char x;
    klee_make_symbolic(&x, sizeof x, "x");
    int value = klee_get_value_i32(x);
    assert(value != 7); //~ BUG!
    return 0;
}
