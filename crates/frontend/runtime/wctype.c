/* Classes of wide characters in the C locale: those of ASCII. */
#define _GNU_SOURCE
#include "runtime.h"

#include <wctype.h>

static int is_lower(wint_t c) { return c - 'a' < 26u; }
static int is_upper_case(wint_t c) { return c - 'A' < 26u; }
static int is_letter(wint_t c) { return is_lower(c) | is_upper_case(c); }
static int is_number(wint_t c) { return c - '0' < 10u; }
static int is_visible(wint_t c) { return c - 33 < 94u; }

WEAK int iswlower(wint_t c) { return is_lower(c); }
WEAK int iswupper(wint_t c) { return is_upper_case(c); }
WEAK int iswalpha(wint_t c) { return is_letter(c); }
WEAK int iswdigit(wint_t c) { return is_number(c); }
WEAK int iswalnum(wint_t c) { return is_letter(c) | is_number(c); }
WEAK int iswxdigit(wint_t c) { return is_number(c) | ((c | 32) - 'a' < 6u); }
WEAK int iswblank(wint_t c) { return (c == ' ') | (c == '\t'); }
WEAK int iswspace(wint_t c) { return (c == ' ') | (c - '\t' < 5u); }
WEAK int iswcntrl(wint_t c) { return (c < 32) | (c == 127); }
WEAK int iswgraph(wint_t c) { return is_visible(c); }
WEAK int iswprint(wint_t c) { return is_visible(c) | (c == ' '); }
WEAK int iswpunct(wint_t c) { return is_visible(c) & !(is_letter(c) | is_number(c)); }
WEAK wint_t towlower(wint_t c) { return c + 32 * (wint_t)is_upper_case(c); }
WEAK wint_t towupper(wint_t c) { return c - 32 * (wint_t)is_lower(c); }

static const struct {
    const char *name;
    int (*is)(wint_t);
} classes[] = {
    {"alnum", iswalnum}, {"alpha", iswalpha}, {"blank", iswblank}, {"cntrl", iswcntrl},
    {"digit", iswdigit}, {"graph", iswgraph}, {"lower", iswlower}, {"print", iswprint},
    {"punct", iswpunct}, {"space", iswspace}, {"upper", iswupper}, {"xdigit", iswxdigit},
};

static int is_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

/* A class is its position in the table, from 1 on. */
WEAK wctype_t wctype(const char *name)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (is_same(name, classes[i].name))
            return i + 1;
    return 0;
}

WEAK int iswctype(wint_t c, wctype_t class)
{
    return class > 0 && class <= sizeof classes / sizeof classes[0] ? classes[class - 1].is(c) : 0;
}

static const int changes[2];

WEAK wctrans_t wctrans(const char *name)
{
    if (is_same(name, "tolower"))
        return &changes[0];
    return is_same(name, "toupper") ? &changes[1] : NULL;
}

WEAK wint_t towctrans(wint_t c, wctrans_t change)
{
    if (change == &changes[0])
        return towlower(c);
    return change == &changes[1] ? towupper(c) : c;
}
