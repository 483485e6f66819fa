// A write through a symbolic index and a store to a bit-field keep the rest as it is; that is no read by the program.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

struct flags { unsigned kind : 3, level : 5; };

int main(void)
{
    int a[8];
    unsigned i = __VERIFIER_nondet_uint();
    __VERIFIER_assume(i < 8);
    a[i] = 5;
    assert(a[i] == 5);
    struct flags f;
    f.kind = 1;
    f.level = i;
    assert(f.kind == 1 && f.level == i);
    return 0;
}
