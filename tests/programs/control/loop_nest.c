// break and continue in nested loops of all three kinds.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    int skip = __VERIFIER_nondet_int(), visited = 0, i = 0;
    while (1) {
        if (++i > 4)
            break;
        if (i == skip)
            continue;
        int k = 0;
        do {
            if (k == 2)
                continue;
            visited++;
        } while (++k < 4 && k != 3);
    }
    int skipped = skip >= 1 && skip <= 4;
    assert(visited == 2 * (4 - skipped));
    return 0;
}
