// A table of functions called through a symbolic index: one path for each of the four entries.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=4 full=4
#include "../inputs.h"
#include <assert.h>

static unsigned add(unsigned a, unsigned b) { return a + b; }
static unsigned subtract(unsigned a, unsigned b) { return a - b; }
static unsigned both(unsigned a, unsigned b) { return a & b; }
static unsigned either(unsigned a, unsigned b) { return a | b; }

static unsigned (*const table[4])(unsigned, unsigned) = {add, subtract, both, either};

int main(void)
{
    unsigned a, b, which;
    SYMBOLIC(a);
    SYMBOLIC(b);
    SYMBOLIC(which);
    klee_assume(which < 4);
    unsigned r = table[which](a, b);
    unsigned wanted[4] = {a + b, a - b, a & b, a | b};
    assert(r == wanted[which]);
    return 0;
}
