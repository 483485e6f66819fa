/* The locale is "C" and stays so. */
#define _GNU_SOURCE
#include "runtime.h"

#include <locale.h>

WEAK char *setlocale(int category, const char *name)
{
    static char c_locale[] = "C";
    if (category < LC_CTYPE || category > LC_IDENTIFICATION) {
        errno = EINVAL;
        return NULL;
    }
    if (!name || (name[0] == 'C' && !name[1]))
        return c_locale;
    if (!*name) {
        __selvedge_assumed("world.locale-c");
        return c_locale;
    }
    const char *posix = "POSIX", *rest = name;
    while (*rest && *rest == *posix) {
        rest++;
        posix++;
    }
    if (*rest == *posix)
        return c_locale;
    /* A slash would lead out of the folder of locales. */
    errno = ENOENT;
    for (; *name; name++)
        if (*name == '/')
            errno = EINVAL;
    __selvedge_assumed("world.locale-c");
    return NULL;
}

WEAK struct lconv *localeconv(void)
{
    static char point[] = ".", none[] = "";
    static struct lconv c_conventions = {
        .decimal_point = point,
        .thousands_sep = none,
        .grouping = none,
        .int_curr_symbol = none,
        .currency_symbol = none,
        .mon_decimal_point = none,
        .mon_thousands_sep = none,
        .mon_grouping = none,
        .positive_sign = none,
        .negative_sign = none,
        .int_frac_digits = CHAR_MAX,
        .frac_digits = CHAR_MAX,
        .p_cs_precedes = CHAR_MAX,
        .p_sep_by_space = CHAR_MAX,
        .n_cs_precedes = CHAR_MAX,
        .n_sep_by_space = CHAR_MAX,
        .p_sign_posn = CHAR_MAX,
        .n_sign_posn = CHAR_MAX,
        .int_p_cs_precedes = CHAR_MAX,
        .int_p_sep_by_space = CHAR_MAX,
        .int_n_cs_precedes = CHAR_MAX,
        .int_n_sep_by_space = CHAR_MAX,
        .int_p_sign_posn = CHAR_MAX,
        .int_n_sign_posn = CHAR_MAX,
    };
    return &c_conventions;
}
