/* Bytes and wide characters of the C locale, as glibc has it: a byte below 128 is its own code, any other is an error.
 *
 * There are no shift states, so a state that a program hands over is left alone. Numbers in wide text go through the
 * same readers as others: what is not ASCII ends a number in both.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdarg.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

#define FAILED ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

static size_t failed(void)
{
    errno = EILSEQ;
    return FAILED;
}

/* 1, 0 for the end of the text, FAILED or INCOMPLETE. */
static size_t decode(wchar_t *to, const char *from, size_t n)
{
    if (n == 0)
        return INCOMPLETE;
    unsigned char byte = (unsigned char)*from;
    if (byte >= 128)
        return failed();
    if (to)
        *to = byte;
    return byte != 0;
}

WEAK int mbtowc(wchar_t *restrict to, const char *restrict from, size_t n)
{
    NOT_FOR_THREADS;
    if (!from)
        return 0;
    size_t result = decode(to, from, n);
    return result > 1 ? -1 : (int)result;
}

WEAK int mblen(const char *from, size_t n)
{
    NOT_FOR_THREADS;
    if (!from || !*from)
        return 0;
    size_t result = decode(NULL, from, n);
    return result > 1 ? -1 : (int)result;
}

WEAK size_t mbrtowc(wchar_t *restrict to, const char *restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return from ? decode(to, from, n) : 0;
}

WEAK size_t mbrlen(const char *restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    return from ? decode(NULL, from, n) : 0;
}

WEAK int mbsinit(const mbstate_t *state)
{
    (void)state;
    return 1;
}

static size_t encode(char *to, wchar_t c)
{
    if ((unsigned)c >= 128)
        return failed();
    *to = (char)c;
    return 1;
}

WEAK int wctomb(char *to, wchar_t c) { return to ? (int)encode(to, c) : 0; }

WEAK size_t wcrtomb(char *restrict to, wchar_t c, mbstate_t *restrict state)
{
    (void)state;
    return to ? encode(to, c) : 1;
}

/* Up to `n` characters; `*rest` is NULL after the end of the text. */
static size_t decode_all(wchar_t *to, const char **rest, size_t n)
{
    size_t count = 0;
    for (; count < n; count++) {
        unsigned char byte = (unsigned char)**rest;
        if (byte >= 128)
            return failed();
        if (to)
            to[count] = byte;
        if (!byte) {
            *rest = NULL;
            return count;
        }
        ++*rest;
    }
    return count;
}

WEAK size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    const char *scan = *from;
    return to ? decode_all(to, from, n) : decode_all(NULL, &scan, SIZE_MAX);
}

WEAK size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n)
{
    const char *rest = from;
    return decode_all(to, &rest, to ? n : SIZE_MAX);
}

static size_t encode_all(char *to, const wchar_t **rest, size_t n)
{
    size_t count = 0;
    for (; count < n; count++) {
        wchar_t c = **rest;
        if ((unsigned)c >= 128)
            return failed();
        if (to)
            to[count] = (char)c;
        if (!c) {
            *rest = NULL;
            return count;
        }
        ++*rest;
    }
    return count;
}

WEAK size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state)
{
    (void)state;
    const wchar_t *scan = *from;
    return to ? encode_all(to, from, n) : encode_all(NULL, &scan, SIZE_MAX);
}

WEAK size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n)
{
    const wchar_t *rest = from;
    return encode_all(to, &rest, to ? n : SIZE_MAX);
}

WEAK wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
WEAK int wctob(wint_t c) { return c < 128 ? (int)c : -1; }

WEAK int wcwidth(wchar_t c) { return c == 0 ? 0 : (unsigned)c - 32 < 95u ? 1 : -1; }

WEAK int wcswidth(const wchar_t *s, size_t n)
{
    size_t width = 0;
    for (; width < n && s[width]; width++)
        if ((unsigned)s[width] - 32 >= 95u)
            return -1;
    return (int)width;
}

/* Text as bytes, for a reader of bytes; what has no byte becomes one that no number has. */
static char *narrow(const wchar_t *text)
{
    size_t size = 0;
    while (text[size])
        size++;
    char *bytes = malloc(size + 1);
    if (!bytes)
        __selvedge_unsupported("a wide function without memory for a copy");
    for (size_t i = 0; i <= size; i++)
        bytes[i] = (unsigned)text[i] < 128 ? (char)text[i] : '\1';
    return bytes;
}

long __selvedge_strtol(const char *text, char **end, int base);
unsigned long __selvedge_strtoul(const char *text, char **end, int base);
long long __selvedge_strtoll(const char *text, char **end, int base);
unsigned long long __selvedge_strtoull(const char *text, char **end, int base);

#define READER(type, name, reader)                                                                                     \
    WEAK type name(const wchar_t *restrict text, wchar_t **restrict end, int base)                                     \
    {                                                                                                                  \
        char *bytes = narrow(text), *rest = NULL;                                                                      \
        type value = reader(bytes, &rest, base);                                                                       \
        if (end && rest)                                                                                               \
            *end = (wchar_t *)text + (rest - bytes);                                                                   \
        free(bytes);                                                                                                   \
        return value;                                                                                                  \
    }

READER(long, wcstol, __selvedge_strtol)
READER(unsigned long, wcstoul, __selvedge_strtoul)
READER(long long, wcstoll, __selvedge_strtoll)
READER(unsigned long long, wcstoull, __selvedge_strtoull)

WEAK double wcstod(const wchar_t *restrict text, wchar_t **restrict end)
{
    char *bytes = narrow(text), *rest = NULL;
    int out_of_range = 0;
    double value = __selvedge_strtod(bytes, &rest, &out_of_range);
    if (out_of_range)
        errno = ERANGE;
    if (end)
        *end = (wchar_t *)text + (rest - bytes);
    free(bytes);
    return value;
}

/* The narrow formatter does the work; wide texts among the arguments are its business too. */
static int print(wchar_t *to, size_t size, const wchar_t *format, va_list list)
{
    char *bytes = narrow(format);
    va_list again;
    va_copy(again, list);
    int length = __selvedge_format(NULL, 0, bytes, list);
    if (length < 0 || (size_t)length >= size) {
        va_end(again);
        free(bytes);
        if (size > 0)
            to[size - 1] = 0;
        return -1;
    }
    char *text = malloc((size_t)length + 1);
    if (!text)
        __selvedge_unsupported("a wide function without memory for a copy");
    __selvedge_format(text, (size_t)length + 1, bytes, again);
    va_end(again);
    for (int i = 0; i <= length; i++) {
        to[i] = (unsigned char)text[i];
        if ((unsigned char)text[i] >= 128)
            length = (int)failed();
    }
    free(text);
    free(bytes);
    return length;
}

WEAK int vswprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, va_list list)
{
    return print(to, size, format, list);
}

WEAK int swprintf(wchar_t *restrict to, size_t size, const wchar_t *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int length = print(to, size, format, list);
    va_end(list);
    return length;
}

static int scan(const wchar_t *text, const wchar_t *format, va_list list)
{
    char *bytes = narrow(text), *how = narrow(format);
    int count = __selvedge_scan(bytes, NULL, how, list, 0);
    free(bytes);
    free(how);
    return count;
}

WEAK int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    int count = scan(text, format, list);
    va_end(list);
    return count;
}
