/* Names that a program compiled with _FORTIFY_SOURCE calls for string functions (those for printf are in print.c).
 *
 * `room` is what the compiler knows of the size of the destination; the real ones end the program if it is too small.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>

WEAK __attribute__((noreturn)) void __chk_fail(void) { abort(); }
WEAK __attribute__((noreturn)) void __stack_chk_fail(void) { abort(); }

static void need(size_t size, size_t room)
{
    if (size > room)
        abort();
}

static size_t length(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

/* Appends `n` bytes of `from` and a NUL at `end`, which has `room`. */
static char *append(char *end, const char *from, size_t n, size_t room)
{
    need(n + 1, room);
    memcpy(end, from, n);
    end[n] = 0;
    return end + n;
}

WEAK void *__memcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    need(n, room);
    return memcpy(to, from, n);
}

WEAK void *__memmove_chk(void *to, const void *from, size_t n, size_t room)
{
    need(n, room);
    return memmove(to, from, n);
}

WEAK void *__mempcpy_chk(void *to, const void *from, size_t n, size_t room)
{
    need(n, room);
    return (char *)memcpy(to, from, n) + n;
}

WEAK void *__memset_chk(void *to, int byte, size_t n, size_t room)
{
    need(n, room);
    return memset(to, byte, n);
}

WEAK char *__stpcpy_chk(char *to, const char *from, size_t room)
{
    return append(to, from, length(from, SIZE_MAX), room);
}

WEAK char *__strcpy_chk(char *to, const char *from, size_t room)
{
    append(to, from, length(from, SIZE_MAX), room);
    return to;
}

WEAK char *__strncpy_chk(char *to, const char *from, size_t n, size_t room)
{
    need(n, room);
    size_t used = length(from, n);
    memcpy(to, from, used);
    memset(to + used, 0, n - used);
    return to;
}

WEAK char *__strcat_chk(char *to, const char *from, size_t room)
{
    size_t used = length(to, SIZE_MAX);
    need(used, room);
    append(to + used, from, length(from, SIZE_MAX), room - used);
    return to;
}

WEAK char *__strncat_chk(char *to, const char *from, size_t n, size_t room)
{
    size_t used = length(to, SIZE_MAX);
    need(used, room);
    append(to + used, from, length(from, n), room - used);
    return to;
}
