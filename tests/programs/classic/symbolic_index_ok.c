// The index is checked against the size, so the access through it is always inside; its effect is seen at that place only.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int squares[10];
    for (int k = 0; k < 10; k++)
        squares[k] = k * k;
    unsigned i;
    klee_make_symbolic(&i, sizeof i, "i");
    if (i < 10) {
        assert(squares[i] == (int)(i * i));
        squares[i] = -1;
        assert(squares[i] == -1);
        int n_changed = 0;
        for (int k = 0; k < 10; k++)
            n_changed += squares[k] != k * k;
        assert(n_changed == 1);
    }
    return 0;
}
