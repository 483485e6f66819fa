// A call through a base pointer reaches the override that breaks the promise.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <cassert>

struct Counter {
    virtual ~Counter() {}
    virtual int next(int x) { return x + 1; }
};

struct Saturating : Counter {
    int next(int x) override { return x < 100 ? x + 1 : 100; }
};

static void use(Counter &c, int x)
{
    int y = c.next(x);
    assert(y > x); //~ BUG!
}

int main()
{
    Counter plain;
    Saturating saturating;
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 100)
        return 0;
    if (x % 2)
        use(plain, x);
    else
        use(saturating, x);
    return 0;
}
