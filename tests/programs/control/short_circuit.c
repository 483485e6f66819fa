// The right side of && and || is evaluated only if needed; the comma and ?: in their order.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>

static int n_calls;
static int called(int x)
{
    n_calls++;
    return x;
}

int main(void)
{
    int x = __VERIFIER_nondet_int(), *null = 0;
    int r = x && called(1);
    assert(n_calls == (x != 0) && r == (x != 0));
    r = x || called(0);
    assert(n_calls == 1 && r == (x != 0));
    if (null && *null == 5)
        assert(0);
    r = x > 0 ? called(2) : (called(3), called(4));
    assert(r == (x > 0 ? 2 : 4) && n_calls == (x > 0 ? 2 : 3));
    int i = 0;
    int a[2] = {5, 6};
    assert(a[i++] == 5 && i == 1 && a[i--] == 6 && i == 0);
    return 0;
}
