// Fibonacci numbers by recursion on a symbolic argument: one path for each of its ten values.
//@ verdict: safe
//@ flags: --reduce none
//@ executions: total=10 full=10
#include "../inputs.h"
#include <assert.h>

static int fibonacci(int n)
{
    if (n == 0)
        return 0;
    if (n == 1)
        return 1;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

int main(void)
{
    static const int wanted[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    int n;
    SYMBOLIC(n);
    klee_assume((n >= 0) & (n < 10));
    assert(fibonacci(n) == wanted[n]);
    return 0;
}
