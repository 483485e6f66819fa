/* string.h and strings.h on plain bytes, one byte at a time.
 *
 * Searching functions fork once for each byte they look at, as their result depends on it. memcmp and bcmp compare the
 * whole range without a branch, so a test for equality forks only where the program itself branches on the result; this
 * is exact, because both ranges must be readable in full anyway.
 * strcoll and strxfrm are those of the C locale.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

static size_t bounded_length(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

/* Whether `c` is one of the bytes of the string `set`. */
static int is_member(char c, const char *set)
{
    for (; *set; set++)
        if (*set == c)
            return 1;
    return 0;
}

static size_t span(const char *s, const char *set, int want)
{
    size_t n = 0;
    while (s[n] && is_member(s[n], set) == want)
        n++;
    return n;
}

/* Copies the string and its NUL; returns where the NUL now is. */
static char *copy(char *to, const char *from)
{
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

/* Copies at most `n` bytes and pads with NULs; returns where the first NUL is, or `to + n`. */
static char *copy_padded(char *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; i < n && from[i]; i++)
        to[i] = from[i];
    char *end = to + i;
    for (; i < n; i++)
        to[i] = 0;
    return end;
}

static int compare(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned char x = (unsigned char)a[i], y = (unsigned char)b[i];
        if (x != y)
            return (int)x - (int)y;
        if (!x)
            return 0;
    }
    return 0;
}

static int compare_folded(const char *a, const char *b, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        int x = to_lower((unsigned char)a[i]), y = to_lower((unsigned char)b[i]);
        if (x != y)
            return x - y;
        if (!x)
            return 0;
    }
    return 0;
}

/* The difference of the first bytes that differ, else 0. */
static int compare_memory(const unsigned char *a, const unsigned char *b, size_t n)
{
    int result = 0;
    for (size_t i = 0; i < n; i++)
        result |= -(result == 0) & ((int)a[i] - (int)b[i]);
    return result;
}

static char *find(const char *s, char c)
{
    for (;; s++) {
        if (*s == c)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

static char *find_last(const char *s, char c)
{
    const char *found = NULL;
    for (;; s++) {
        if (*s == c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

static void *find_memory(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c)
            return (void *)(p + i);
    return NULL;
}

static char *duplicate(const char *s, size_t n)
{
    char *d = malloc(n + 1);
    if (!d)
        return NULL;
    memcpy(d, s, n);
    d[n] = 0;
    return d;
}

WEAK size_t strlen(const char *s) { return length(s); }
WEAK size_t strnlen(const char *s, size_t max) { return bounded_length(s, max); }

WEAK char *stpcpy(char *to, const char *from) { return copy(to, from); }
WEAK char *__stpcpy(char *to, const char *from) { return copy(to, from); }
WEAK char *stpncpy(char *to, const char *from, size_t n) { return copy_padded(to, from, n); }

WEAK char *strcpy(char *to, const char *from)
{
    copy(to, from);
    return to;
}

WEAK char *strncpy(char *to, const char *from, size_t n)
{
    copy_padded(to, from, n);
    return to;
}

WEAK char *strcat(char *to, const char *from)
{
    copy(to + length(to), from);
    return to;
}

WEAK char *strncat(char *to, const char *from, size_t n)
{
    char *end = to + length(to);
    size_t i = 0;
    for (; i < n && from[i]; i++)
        end[i] = from[i];
    end[i] = 0;
    return to;
}

WEAK size_t strlcpy(char *to, const char *from, size_t size)
{
    size_t i = 0;
    if (size) {
        for (; i < size - 1 && from[i]; i++)
            to[i] = from[i];
        to[i] = 0;
    }
    return i + length(from + i);
}

WEAK size_t strlcat(char *to, const char *from, size_t size)
{
    size_t used = bounded_length(to, size), i = 0;
    if (used < size) {
        for (; used + i < size - 1 && from[i]; i++)
            to[used + i] = from[i];
        to[used + i] = 0;
    }
    return used + i + length(from + i);
}

WEAK int strcmp(const char *a, const char *b) { return compare(a, b, SIZE_MAX); }
WEAK int strncmp(const char *a, const char *b, size_t n) { return compare(a, b, n); }
WEAK int strcoll(const char *a, const char *b) { return compare(a, b, SIZE_MAX); }
WEAK int strcasecmp(const char *a, const char *b) { return compare_folded(a, b, SIZE_MAX); }
WEAK int strncasecmp(const char *a, const char *b, size_t n) { return compare_folded(a, b, n); }

WEAK size_t strxfrm(char *to, const char *from, size_t n)
{
    size_t len = length(from);
    if (n)
        copy_padded(to, from, len < n ? len + 1 : n);
    return len;
}

WEAK char *strchr(const char *s, int c) { return find(s, (char)c); }
WEAK char *index(const char *s, int c) { return find(s, (char)c); }
WEAK char *strrchr(const char *s, int c) { return find_last(s, (char)c); }
WEAK char *rindex(const char *s, int c) { return find_last(s, (char)c); }

WEAK char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

WEAK size_t strspn(const char *s, const char *set) { return span(s, set, 1); }
WEAK size_t strcspn(const char *s, const char *set) { return span(s, set, 0); }

WEAK char *strpbrk(const char *s, const char *set)
{
    s += span(s, set, 0);
    return *s ? (char *)s : NULL;
}

WEAK char *strstr(const char *s, const char *needle)
{
    size_t n = length(needle);
    for (;; s++) {
        if (compare(s, needle, n) == 0)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

WEAK char *strcasestr(const char *s, const char *needle)
{
    size_t n = length(needle);
    for (;; s++) {
        if (compare_folded(s, needle, n) == 0)
            return (char *)s;
        if (!*s)
            return NULL;
    }
}

static char *token(char *s, const char *delimiters, char **rest)
{
    if (!s)
        s = *rest;
    if (!s)
        return NULL;
    s += span(s, delimiters, 1);
    if (!*s) {
        *rest = s;
        return NULL;
    }
    char *end = s + span(s, delimiters, 0);
    if (*end)
        *end++ = 0;
    *rest = end;
    return s;
}

WEAK char *strtok_r(char *s, const char *delimiters, char **rest) { return token(s, delimiters, rest); }
WEAK char *__strtok_r(char *s, const char *delimiters, char **rest) { return token(s, delimiters, rest); }

WEAK char *strtok(char *s, const char *delimiters)
{
    static char *rest;
    return token(s, delimiters, &rest);
}

WEAK char *strsep(char **string, const char *delimiters)
{
    char *start = *string;
    if (!start)
        return NULL;
    char *end = start + span(start, delimiters, 0);
    if (*end)
        *end++ = 0;
    else
        end = NULL;
    *string = end;
    return start;
}

WEAK char *strdup(const char *s) { return duplicate(s, length(s)); }
WEAK char *__strdup(const char *s) { return duplicate(s, length(s)); }
WEAK char *strndup(const char *s, size_t max) { return duplicate(s, bounded_length(s, max)); }
WEAK char *__strndup(const char *s, size_t max) { return duplicate(s, bounded_length(s, max)); }

WEAK void *memchr(const void *s, int c, size_t n) { return find_memory(s, c, n); }

WEAK void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *p = s;
    while (n--)
        if (p[n] == (unsigned char)c)
            return (void *)(p + n);
    return NULL;
}

WEAK void *rawmemchr(const void *s, int c)
{
    const unsigned char *p = s;
    while (*p != (unsigned char)c)
        p++;
    return (void *)p;
}

WEAK int memcmp(const void *a, const void *b, size_t n) { return compare_memory(a, b, n); }
WEAK int bcmp(const void *a, const void *b, size_t n) { return compare_memory(a, b, n); }

WEAK void *memmem(const void *s, size_t size, const void *needle, size_t n)
{
    const unsigned char *p = s;
    for (; size >= n; p++, size--)
        if (compare_memory(p, needle, n) == 0)
            return (void *)p;
    return NULL;
}

WEAK void *memccpy(void *to, const void *from, int c, size_t n)
{
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++) {
        d[i] = s[i];
        if (s[i] == (unsigned char)c)
            return d + i + 1;
    }
    return NULL;
}

WEAK void *mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }
WEAK void *__mempcpy(void *to, const void *from, size_t n) { return (char *)memcpy(to, from, n) + n; }
WEAK void bcopy(const void *from, void *to, size_t n) { memmove(to, from, n); }
WEAK void bzero(void *to, size_t n) { memset(to, 0, n); }
WEAK void explicit_bzero(void *to, size_t n) { memset(to, 0, n); }

WEAK int ffs(int bits)
{
    for (int i = 0; i < 32; i++)
        if ((unsigned)bits >> i & 1)
            return i + 1;
    return 0;
}
