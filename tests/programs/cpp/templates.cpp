// Templates, references, overloading, lambdas and a class with an operator.
//@ verdict: safe
#include "../inputs.h"
#include <cassert>

template <typename T> T larger(const T &a, const T &b) { return a < b ? b : a; }

struct Money {
    int cents;
    bool operator<(const Money &other) const { return cents < other.cents; }
    Money &operator+=(const Money &other)
    {
        cents += other.cents;
        return *this;
    }
};

static int kind(int) { return 1; }
static int kind(char) { return 2; }

template <typename F> int apply(F f, int x) { return f(x); }

int main()
{
    short a = __VERIFIER_nondet_short(), b = __VERIFIER_nondet_short();
    Money m = larger(Money{a}, Money{b});
    assert(m.cents >= a && m.cents >= b);
    (m += Money{1}) += Money{2};
    assert(m.cents == larger<int>(a, b) + 3);
    assert(kind(1) == 1 && kind('x') == 2);
    int captured = a;
    assert(apply([&](int x) { return ++captured + x; }, b) == a + 1 + b && captured == a + 1);
    return 0;
}
