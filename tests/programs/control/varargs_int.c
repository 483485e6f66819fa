// Variable arguments: more integers than fit in registers, of several widths, read twice through a copy.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdarg.h>

static long long sum_list(int n, va_list args)
{
    long long total = 0;
    for (int i = 0; i < n; i++)
        total += i % 2 ? va_arg(args, long long) : va_arg(args, int);
    return total;
}

static long long twice(int n, ...)
{
    va_list args, again;
    va_start(args, n);
    va_copy(again, args);
    long long total = sum_list(n, args);
    total += sum_list(n, again);
    va_end(again);
    va_end(args);
    return total;
}

static const char *last(int n, ...)
{
    va_list args;
    va_start(args, n);
    const char *s = 0;
    while (n--)
        s = va_arg(args, const char *);
    va_end(args);
    return s;
}

int main(void)
{
    short x = __VERIFIER_nondet_short();
    signed char c = (signed char)x;
    assert(twice(0) == 0);
    assert(twice(2, x, 5ll) == 2 * (x + 5));
    assert(twice(9, 1, 2ll, (int)c, 4ll, x, 6ll, 7, 8ll, 9) == 2ll * (37 + c + x));
    assert(last(3, "a", "b", "c")[0] == 'c');
    return 0;
}
