// Variable arguments: structures that travel in registers and in memory.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <stdarg.h>

struct point {
    int x, y;
};
struct box {
    long long edge[5];
};
struct mixed {
    double d;
    int i;
};

static long long sum(int n, ...)
{
    long long total = 0;
    va_list args;
    va_start(args, n);
    for (int i = 0; i < n; i++) {
        struct point p = va_arg(args, struct point);
        struct box b = va_arg(args, struct box);
        struct mixed m = va_arg(args, struct mixed);
        total += p.x + p.y + b.edge[0] + b.edge[4] + (long long)m.d + m.i;
    }
    va_end(args);
    return total;
}

int main(void)
{
    short x = __VERIFIER_nondet_short();
    struct point p = {x, 1};
    struct box b = {{2, 0, 0, 0, 3}};
    struct mixed m = {4.0, 5};
    assert(sum(1, p, b, m) == x + 15);
    assert(sum(3, p, b, m, p, b, m, p, b, m) == 3 * (x + 15));
    return 0;
}
