// Checked signed arithmetic, and unsigned arithmetic that wraps, which is no error.
//@ verdict: safe
//@ flags: --check default,overflow
#include "../inputs.h"
#include <assert.h>
#include <limits.h>

int main(void)
{
    int x, y;
    unsigned u;
    signed char c;
    SYMBOLIC(x);
    SYMBOLIC(y);
    SYMBOLIC(u);
    SYMBOLIC(c);
    if (y > 0 ? x > INT_MAX - y : x < INT_MIN - y)
        return 0;
    int sum = x + y;
    assert(y >= 0 ? sum >= x : sum < x);
    u = u * 3 + 7;
    c = (signed char)(c + 1); // computed as int, then cut
    int product = c * c;
    assert(product >= 0);
    return 0;
}
