// goto: out of nested loops, backwards, into a block.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int wanted = __VERIFIER_nondet_int(), row, column, n = 0;
    for (row = 0; row < 3; row++)
        for (column = 0; column < 3; column++)
            if (row * 3 + column == wanted)
                goto found;
    assert(wanted < 0 || wanted > 8);
    row = column = 0;
    goto inside;
found:
    assert(row == wanted / 3 && column == wanted % 3);
again:
    if (n < 3) {
    inside:
        n++;
        goto again;
    }
    assert(n == 3);
    return 0;
}
