// A struct with an alignment of 16 among variable arguments.
//@ verdict: safe
#include <assert.h>
#include <stdarg.h>

struct aligned {
    long a, b, c;
} __attribute__((aligned(16)));

struct wide {
    __int128 number;
    long more;
};

static long sum(int n, ...)
{
    va_list list;
    va_start(list, n);
    long total = va_arg(list, int);
    struct aligned first = va_arg(list, struct aligned);
    total += va_arg(list, int);
    struct wide second = va_arg(list, struct wide);
    total += va_arg(list, int);
    va_end(list);
    return total + first.a + first.b + first.c + (long)second.number + second.more;
}

int main(void)
{
    struct aligned first = {10, 20, 30};
    struct wide second = {100, 200};
    assert(sum(5, 1, first, 2, second, 3) == 366);
    return 0;
}
