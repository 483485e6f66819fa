// A variable argument is read with more bits than it was passed with: what is above is assumed.
//@ verdict: safe
//@ assumes: library.narrow-argument
//@ rev plain:
//@ rev strict: --strict
//@ verdict[strict]: unknown
//@ reason[strict]: has zeros above them
//@ rev console:
//@ clang[console]: -DCONSOLE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>

static long first(int count, ...)
{
    va_list list;
    va_start(list, count);
    long value = va_arg(list, long);
    va_end(list);
    return value;
}

int main(void)
{
#ifdef CONSOLE
    printf("%ld\n", 5);
#else
    assert(first(1, 5) == 5);
#endif
    return 0;
}
