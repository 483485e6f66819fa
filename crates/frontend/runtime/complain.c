/* Messages to standard error with the name of the program before them (`err.h`). */
#define _GNU_SOURCE
#include "runtime.h"

#include <err.h>
#include <stdio.h>
#include <stdlib.h>

static void put(const char *text)
{
    for (; *text; text++)
        fputc(*text, stderr);
}

/* `error`: the number whose text follows, or -1. */
static void complain(const char *format, va_list args, int error)
{
    put(program_invocation_short_name);
    put(": ");
    if (format) {
        va_list again;
        va_copy(again, args);
        int length = __selvedge_format(NULL, 0, format, args);
        char *text = length < 0 ? NULL : malloc((size_t)length + 1);
        if (text) {
            __selvedge_format(text, (size_t)length + 1, format, again);
            fwrite(text, 1, (size_t)length, stderr);
            free(text);
        }
        va_end(again);
        if (error >= 0)
            put(": ");
    }
    if (error >= 0)
        put(__selvedge_error_text(error));
    fputc('\n', stderr);
}

#define COMPLAIN(error)                                                                                                \
    int number = error;                                                                                                \
    va_list args;                                                                                                      \
    va_start(args, format);                                                                                            \
    complain(format, args, number);                                                                                    \
    va_end(args)

WEAK void vwarn(const char *format, va_list args) { complain(format, args, errno); }
WEAK void vwarnx(const char *format, va_list args) { complain(format, args, -1); }
WEAK void warn(const char *format, ...) { COMPLAIN(errno); }
WEAK void warnx(const char *format, ...) { COMPLAIN(-1); }

WEAK __attribute__((noreturn)) void verr(int code, const char *format, va_list args)
{
    complain(format, args, errno);
    exit(code);
}

WEAK __attribute__((noreturn)) void verrx(int code, const char *format, va_list args)
{
    complain(format, args, -1);
    exit(code);
}

WEAK __attribute__((noreturn)) void err(int code, const char *format, ...)
{
    COMPLAIN(errno);
    exit(code);
}

WEAK __attribute__((noreturn)) void errx(int code, const char *format, ...)
{
    COMPLAIN(-1);
    exit(code);
}
