/* Wide strings: the functions of string.h for wchar_t, which is a 32-bit code. */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static size_t length(const wchar_t *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

WEAK size_t wcslen(const wchar_t *s) { return length(s, SIZE_MAX); }
WEAK size_t wcsnlen(const wchar_t *s, size_t max) { return length(s, max); }

static void copy(wchar_t *to, const wchar_t *from, size_t n) { memcpy(to, from, n * sizeof *to); }

WEAK wchar_t *wcscpy(wchar_t *to, const wchar_t *from)
{
    copy(to, from, length(from, SIZE_MAX) + 1);
    return to;
}

WEAK wchar_t *wcpcpy(wchar_t *to, const wchar_t *from)
{
    size_t n = length(from, SIZE_MAX);
    copy(to, from, n + 1);
    return to + n;
}

static wchar_t *copy_padded(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t used = length(from, n);
    copy(to, from, used);
    for (size_t i = used; i < n; i++)
        to[i] = 0;
    return to + used;
}

WEAK wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

WEAK wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n) { return copy_padded(to, from, n); }

static wchar_t *append(wchar_t *to, const wchar_t *from, size_t n)
{
    wchar_t *end = to + length(to, SIZE_MAX);
    copy(end, from, n);
    end[n] = 0;
    return to;
}

WEAK wchar_t *wcscat(wchar_t *to, const wchar_t *from) { return append(to, from, length(from, SIZE_MAX)); }
WEAK wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) { return append(to, from, length(from, n)); }

static int order(wchar_t a, wchar_t b) { return (a > b) - (a < b); }

static int compare(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i] || !a[i])
            return order(a[i], b[i]);
    return 0;
}

WEAK int wcscmp(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX); }
WEAK int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n); }
WEAK int wcscoll(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX); }

static int compare_folded(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int left = to_lower(a[i]), right = to_lower(b[i]);
        if (left != right || !left)
            return order(left, right);
    }
    return 0;
}

WEAK int wcscasecmp(const wchar_t *a, const wchar_t *b) { return compare_folded(a, b, SIZE_MAX); }
WEAK int wcsncasecmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare_folded(a, b, n); }

WEAK size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t n)
{
    size_t size = length(from, SIZE_MAX);
    if (n > 0)
        copy(to, from, size < n ? size + 1 : n);
    return size;
}

static const wchar_t *find(const wchar_t *s, wchar_t c)
{
    while (*s != c && *s)
        s++;
    return s;
}

WEAK wchar_t *wcschrnul(const wchar_t *s, wchar_t c) { return (wchar_t *)find(s, c); }

WEAK wchar_t *wcschr(const wchar_t *s, wchar_t c)
{
    const wchar_t *at = find(s, c);
    return *at == c ? (wchar_t *)at : NULL;
}

WEAK wchar_t *wcsrchr(const wchar_t *s, wchar_t c)
{
    const wchar_t *last = NULL;
    for (;; s++) {
        if (*s == c)
            last = s;
        if (!*s)
            return (wchar_t *)last;
    }
}

static size_t span(const wchar_t *s, const wchar_t *set, int wanted)
{
    size_t n = 0;
    while (s[n] && (*find(set, s[n]) == s[n]) == wanted)
        n++;
    return n;
}

WEAK size_t wcsspn(const wchar_t *s, const wchar_t *set) { return span(s, set, 1); }
WEAK size_t wcscspn(const wchar_t *s, const wchar_t *set) { return span(s, set, 0); }

WEAK wchar_t *wcspbrk(const wchar_t *s, const wchar_t *set)
{
    s += span(s, set, 0);
    return *s ? (wchar_t *)s : NULL;
}

WEAK wchar_t *wcsstr(const wchar_t *s, const wchar_t *needle)
{
    size_t n = length(needle, SIZE_MAX);
    for (;; s++) {
        if (compare(s, needle, n) == 0)
            return (wchar_t *)s;
        if (!*s)
            return NULL;
    }
}

WEAK wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict delimiters, wchar_t **restrict rest)
{
    if (!s)
        s = *rest;
    if (!s) {
        /* As glibc has it. */
        errno = EINVAL;
        return NULL;
    }
    s += span(s, delimiters, 1);
    if (!*s) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + span(s, delimiters, 0);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return s;
}

WEAK wchar_t *wcsdup(const wchar_t *s)
{
    size_t size = length(s, SIZE_MAX) + 1;
    wchar_t *made = malloc(size * sizeof *made);
    if (made)
        copy(made, s, size);
    return made;
}

WEAK wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n)
{
    copy(to, from, n);
    return to;
}

WEAK wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n)
{
    copy(to, from, n);
    return to + n;
}

WEAK wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n)
{
    memmove(to, from, n * sizeof *to);
    return to;
}

WEAK wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        to[i] = c;
    return to;
}

WEAK int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return order(a[i], b[i]);
    return 0;
}

WEAK wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (wchar_t *)s + i;
    return NULL;
}
