// A struct with an alignment of 16 that fits into a register is not laid out as the reader expects.
//@ verdict: unknown
//@ reason: alignment of 16
//@ stdout: 3 10
#include <stdarg.h>
#include <stdio.h>

struct small {
    long a;
} __attribute__((aligned(16)));

static long get(int n, ...)
{
    va_list list;
    va_start(list, n);
    long total = va_arg(list, int) + va_arg(list, struct small).a;
    va_end(list);
    return total;
}

int main(void)
{
    struct small s = {10};
    int array[8] = {3};
    printf("%d %ld\n", array[0], s.a);
    return get(2, 1, s) != 11;
}
