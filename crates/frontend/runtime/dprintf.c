/* dprintf and vdprintf. */
#include "world.h"

#include <stdio.h>

ssize_t __selvedge_write_to(int number, const void *buf, size_t size);

static int print(int number, const char *format, va_list args)
{
    enter_world();
    int console = console_stream(description_of(number));
    leave_world();
    if (console) {
        int error = __selvedge_console_fails();
        return error ? (int)outcome(-error) : __selvedge_print_list(console, format, args);
    }
    va_list again;
    va_copy(again, args);
    int length = __selvedge_format(NULL, 0, format, args);
    long long result = -1;
    if (length >= 0) {
        char text[(size_t)length + 1];
        __selvedge_format(text, (size_t)length + 1, format, again);
        size_t done = 0;
        do {
            result = __selvedge_write_to(number, text + done, (size_t)length - done);
            done += result > 0 ? (size_t)result : 0;
        } while (result > 0 && done < (size_t)length);
        result = result < 0 ? outcome(result) : length;
    }
    va_end(again);
    return (int)result;
}

WEAK int vdprintf(int number, const char *format, va_list args) { return print(number, format, args); }

WEAK int dprintf(int number, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int result = print(number, format, args);
    va_end(args);
    return result;
}
