// One of the pointers to choose from is null.
//@ verdict: unsafe(memory)
//~ INPUT i=1
#include "../inputs.h"

static int a, b;
static int *table[3] = {&a, 0, &b};

int main(void)
{
    unsigned i;
    SYMBOLIC(i);
    klee_assume(i < 3);
    *table[i] = 5; //~ BUG!
    return 0;
}
