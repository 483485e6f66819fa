// The address of a variable of a loop body is kept in a global and used in the next round, when that one is gone.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static int *previous;

int main(void)
{
    int total = 0;
    for (int i = 0; i < 2; i++) {
        int current = __VERIFIER_nondet_int() & 15;
        previous = &current;
        total += current;
    }
    return total + *previous; //~ BUG!
}
