// The same with one wrong entry.
//@ verdict: unsafe(assert)
//~ INPUT i=4
#include "../inputs.h"
#include <assert.h>

static const unsigned char inverse[8] = {3, 1, 7, 0, 5, 6, 6, 2};

int main(void)
{
    unsigned i;
    SYMBOLIC(i);
    klee_assume(i < 5);
    assert(inverse[inverse[i]] == i); //~ BUG!
    return 0;
}
