/* sprintf and its siblings over the formatter; and those functions of the printf family that take a va_list and write
 * to a stream. (printf and fprintf themselves, and all plain output, are the engine's.)
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

/* sprintf knows no size: a write past the end of the buffer is found where it happens. */
#define UNLIMITED SIZE_MAX

/* Evaluates `call` with `args` set to the variable arguments after `last`. */
#define WITH_ARGUMENTS(last, call)                                                                                     \
    va_list args;                                                                                                      \
    va_start(args, last);                                                                                              \
    int result = call;                                                                                                 \
    va_end(args);                                                                                                      \
    return result

static int format_allocated(char **text, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = __selvedge_format(NULL, 0, format, args);
    *text = length < 0 ? NULL : malloc((size_t)length + 1);
    if (*text)
        __selvedge_format(*text, (size_t)length + 1, format, again);
    va_end(again);
    return *text ? length : -1;
}

static int format_to_stream(FILE *stream, const char *format, va_list args)
{
    char *text;
    int length = format_allocated(&text, format, args);
    if (length < 0)
        return -1;
    size_t written = fwrite(text, 1, (size_t)length, stream);
    free(text);
    return written == (size_t)length ? length : -1;
}

WEAK int vsnprintf(char *buf, size_t size, const char *format, va_list args)
{
    return __selvedge_format(buf, size, format, args);
}

WEAK int snprintf(char *buf, size_t size, const char *format, ...)
{
    WITH_ARGUMENTS(format, __selvedge_format(buf, size, format, args));
}

WEAK int vsprintf(char *buf, const char *format, va_list args)
{
    return __selvedge_format(buf, UNLIMITED, format, args);
}

WEAK int sprintf(char *buf, const char *format, ...)
{
    WITH_ARGUMENTS(format, __selvedge_format(buf, UNLIMITED, format, args));
}

WEAK int vasprintf(char **text, const char *format, va_list args) { return format_allocated(text, format, args); }

WEAK int asprintf(char **text, const char *format, ...)
{
    WITH_ARGUMENTS(format, format_allocated(text, format, args));
}

WEAK int vfprintf(FILE *stream, const char *format, va_list args) { return format_to_stream(stream, format, args); }
WEAK int vprintf(const char *format, va_list args) { return format_to_stream(stdout, format, args); }

/* Names that a program compiled with _FORTIFY_SOURCE calls. `room` is what the compiler knows of the buffer. */

static int format_checked(char *buf, size_t size, size_t room, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    size_t needed = (size_t)__selvedge_format(NULL, 0, format, again) + 1;
    va_end(again);
    if (room < (needed < size ? needed : size))
        abort();
    return __selvedge_format(buf, size, format, args);
}

WEAK int __printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(format, format_to_stream(stdout, format, args));
}

WEAK int __fprintf_chk(FILE *stream, int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(format, format_to_stream(stream, format, args));
}

WEAK int __vprintf_chk(int flag, const char *format, va_list args)
{
    (void)flag;
    return format_to_stream(stdout, format, args);
}

WEAK int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list args)
{
    (void)flag;
    return format_to_stream(stream, format, args);
}

WEAK int __sprintf_chk(char *buf, int flag, size_t room, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(format, format_checked(buf, UNLIMITED, room, format, args));
}

WEAK int __vsprintf_chk(char *buf, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    return format_checked(buf, UNLIMITED, room, format, args);
}

WEAK int __snprintf_chk(char *buf, size_t size, int flag, size_t room, const char *format, ...)
{
    (void)flag;
    if (room < size)
        abort();
    WITH_ARGUMENTS(format, __selvedge_format(buf, size, format, args));
}

WEAK int __vsnprintf_chk(char *buf, size_t size, int flag, size_t room, const char *format, va_list args)
{
    (void)flag;
    if (room < size)
        abort();
    return __selvedge_format(buf, size, format, args);
}

WEAK int __asprintf_chk(char **text, int flag, const char *format, ...)
{
    (void)flag;
    WITH_ARGUMENTS(format, format_allocated(text, format, args));
}

WEAK int __vasprintf_chk(char **text, int flag, const char *format, va_list args)
{
    (void)flag;
    return format_allocated(text, format, args);
}
