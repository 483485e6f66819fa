// Functions of the printf family use up the list of arguments that they get.
//@ rev twice:
//@ rev copied:
//@ clang[copied]: -DCOPIED
//@ verdict: unsafe(memory)
//@ verdict[copied]: safe
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void both(const char *format, ...)
{
    char one[16], two[16];
    va_list list;
    va_start(list, format);
#ifdef COPIED
    va_list again;
    va_copy(again, list);
    vsnprintf(one, sizeof one, format, list);
    vsnprintf(two, sizeof two, format, again);
    va_end(again);
#else
    vsnprintf(one, sizeof one, format, list);
    vsnprintf(two, sizeof two, format, list);
#endif
    va_end(list);
    assert(strcmp(one, two) == 0);
}

int main(void)
{
    both("%d %d", 1, 2);
    return 0;
}
