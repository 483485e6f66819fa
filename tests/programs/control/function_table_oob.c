// The index of a table of functions is checked against the wrong number.
//@ verdict: unsafe(memory)
//~ INPUT which=3
#include "../inputs.h"

static int one(void) { return 1; }
static int two(void) { return 2; }
static int three(void) { return 3; }

static int (*const table[3])(void) = {one, two, three};

int main(void)
{
    unsigned which;
    SYMBOLIC(which);
    klee_assume(which <= 3);
    return table[which](); //~ BUG!
}
