// An exception that nothing catches ends the program where it is thrown: no destructor runs before.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <cassert>

static int n_destroyed;

struct Guard {
    ~Guard() { assert(++n_destroyed == 0); }
};

static void work(int x)
{
    Guard *guard = new Guard;
    Guard local;
    if (x == 3)
        throw x; //~ BUG!
    __VERIFIER_assume(0);
    delete guard;
}

int main()
{
    try {
        int x = __VERIFIER_nondet_int(); //~ INPUT x=3
        work(x);
    } catch (long) {
        assert(!"another type");
    }
    return 0;
}
