// Inputs and schedules together: the bug needs one value of the input and one order of the threads.
//@ verdict: unsafe(assert)
//~ INPUT x=1000
#include "../../inputs.h"
#include "../team.h"
#include <assert.h>

static int x;
static volatile int shared;

static void *add(void *unused)
{
    shared += x;
    return unused;
}

static void *triple(void *unused)
{
    shared *= 3;
    return unused;
}

int main(void)
{
    SYMBOLIC(x);
    klee_assume(x >= 0 && x <= 2000);
    shared = 5;
    run_pair(add, triple);
    assert(shared != 3015); //~ BUG!
    return 0;
}
