// An exception must not leave a function that is `noexcept`, nor a destructor; on the way there others are destroyed.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <cassert>

static bool is_destroyed;

struct Guard {
    ~Guard() { is_destroyed = true; }
};

static void inner(int x)
{
    Guard guard;
    if (x > 0)
        throw x;
}

static void quiet(int x) noexcept
{
    inner(x); //~ BUG!
}

int main()
{
    int x = __VERIFIER_nondet_int();
    quiet(x == 5 ? 0 : -1);
    quiet(x);
    return 0;
}
