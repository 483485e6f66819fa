// An index read through an index: a permutation applied twice.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static const unsigned char inverse[8] = {3, 1, 7, 0, 5, 4, 6, 2};

int main(void)
{
    unsigned i;
    SYMBOLIC(i);
    klee_assume(i < 8);
    assert(inverse[inverse[i]] == i);
    return 0;
}
