// A variable that one path does not set has any value there, also when it lives in a register.
// (LLVM may take the value of the other path for it, which a compiler may and a verifier must not.)
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int level; // not set if the key is not positive
    if (__VERIFIER_nondet_int() > 0)
        level = 1;
    assert(level != 42); //~ BUG!
    return 0;
}
