// Integers and floating-point numbers are passed in places of their own: to read one as the other gives neither.
//@ verdict: unsafe(memory)
//@ rev list:
//@ rev text:
//@ clang[text]: -DTEXT
//@ rev console:
//@ clang[console]: -DCONSOLE
//@ rev wide:
//@ clang[wide]: -DWIDE
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static int second(int count, ...)
{
    va_list list;
    va_start(list, count);
#ifdef WIDE
    int value = (int)va_arg(list, long double);
#elif !defined TEXT && !defined CONSOLE
    int value = va_arg(list, int);
#else
    int value = 0;
#endif
    value = va_arg(list, int);
    va_end(list);
    return value;
}

int main(void)
{
#ifdef TEXT
    char text[32];
    sprintf(text, "%d %d", 5.0, 7);
    assert(strcmp(text, "7 0") != 0);
#elif defined CONSOLE
    printf("%f\n", 7);
#endif
    assert(second(2, 5.0, 7) == 7);
    return 0;
}
