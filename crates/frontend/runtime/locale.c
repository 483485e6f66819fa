/* The locale is "C" and stays so. */
#define _GNU_SOURCE
#include "runtime.h"

#include <langinfo.h>
#include <locale.h>

WEAK char *setlocale(int category, const char *name)
{
    static char c_locale[] = "C";
    NOT_FOR_THREADS;
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

WEAK char *nl_langinfo(nl_item item)
{
    static char *const days[7] = {"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"};
    static char *const short_days[7] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    static char *const months[12] = {"January", "February", "March",     "April",   "May",      "June",
                                     "July",    "August",   "September", "October", "November", "December"};
    static char *const short_months[12] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                           "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    static char codeset[] = "ANSI_X3.4-1968", point[] = ".", none[] = "", currency[] = "-";
    static char date_and_time[] = "%a %b %e %H:%M:%S %Y", date[] = "%m/%d/%y", time[] = "%H:%M:%S";
    static char half_day_time[] = "%I:%M:%S %p", before_noon[] = "AM", after_noon[] = "PM";
    static char yes[] = "^[yY]", no[] = "^[nN]";
    if (item >= DAY_1 && item <= DAY_7)
        return days[item - DAY_1];
    if (item >= ABDAY_1 && item <= ABDAY_7)
        return short_days[item - ABDAY_1];
    if (item >= MON_1 && item <= MON_12)
        return months[item - MON_1];
    if (item >= ABMON_1 && item <= ABMON_12)
        return short_months[item - ABMON_1];
    switch (item) {
    case CODESET: return codeset;
    case RADIXCHAR: return point;
    case CRNCYSTR: return currency;
    case D_T_FMT: return date_and_time;
    case D_FMT: return date;
    case T_FMT: return time;
    case T_FMT_AMPM: return half_day_time;
    case AM_STR: return before_noon;
    case PM_STR: return after_noon;
    case YESEXPR: return yes;
    case NOEXPR: return no;
    case THOUSEP:
    case ERA:
    case ERA_D_FMT:
    case ERA_D_T_FMT:
    case ERA_T_FMT:
    case ALT_DIGITS:
    case -1: return none;
    default: __selvedge_unsupported("nl_langinfo of an item that POSIX does not have");
    }
}
