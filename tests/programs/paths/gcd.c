// Euclid's algorithm for numbers below 20.
// A path is a number of divisions. The most is 6, for 8 and 13: consecutive Fibonacci numbers with the smaller one first
// (7 would need 13 and 21). All of 0 to 6 occur: 7 paths. The assertions do not fork, as they hold on every path.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=7 full=7
#include "../inputs.h"
#include <assert.h>

int main(void)
{
    unsigned char x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    klee_assume((x < 20) & (y < 20));
    unsigned char a = x, b = y;
    int n_divisions = 0;
    while (b != 0) {
        unsigned char rest = a % b;
        a = b;
        b = rest;
        n_divisions++;
    }
    assert(n_divisions <= 6);
    assert(a < 20);
    assert((a != 0) | ((x == 0) & (y == 0)));
    return 0;
}
