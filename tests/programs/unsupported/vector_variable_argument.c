// Vectors as variable arguments lie in registers of their own, which is not modelled.
//@ verdict: unknown
//@ reason: vector_variable_argument.c
#include <assert.h>
#include <stdarg.h>

typedef int four __attribute__((vector_size(16)));

static int third(int n, ...)
{
    va_list list;
    va_start(list, n);
    four v = va_arg(list, four);
    va_end(list);
    return v[2];
}

int main(void)
{
    four v = {1, 2, 3, 4};
    assert(third(1, v) == 3);
    return 0;
}
