/* Numbers from text: the strtol family, atoi and its siblings, strtod.
 *
 * Full semantics: leading space, sign, bases 0 and 2 to 36, prefixes, `end`, ERANGE with the limit of the type, EINVAL
 * for a wrong base (which leaves `end` alone, as in glibc). The __isoc23_ names are what <stdlib.h> calls in C23 mode
 * with glibc 2.38 and later: there the prefix 0b counts too.
 * Floating-point text goes to the engine, which converts exactly.
 */
#include "runtime.h"

#include "digits.h"

/* Not <stdlib.h>: it may rename strtol to __isoc23_strtol, and both are defined here. */

struct number {
    struct digits digits;
    int negative;
    const char *end; /* first unused byte; the start of the text if there is no number */
};

/* Whether `text` starts with 0 and `mark` (in either case) and then a digit of `base`. */
static int has_prefix(const char *text, char mark, unsigned base)
{
    return text[0] == '0' && (text[1] | 32) == mark && digit_value((unsigned char)text[2], base) < base;
}

static void read_number(struct number *n, const char *text, unsigned base, int binary_prefix)
{
    const char *p = text;
    n->end = text;
    n->negative = 0;
    while (is_space((unsigned char)*p))
        p++;
    if (*p == '-') {
        n->negative = 1;
        p++;
    } else if (*p == '+') {
        p++;
    }
    if ((base == 0 || base == 16) && has_prefix(p, 'x', 16)) {
        base = 16;
        p += 2;
    } else if (binary_prefix && (base == 0 || base == 2) && has_prefix(p, 'b', 2)) {
        base = 2;
        p += 2;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    digits_start(&n->digits, base);
    for (;; p++) {
        unsigned digit = digit_value((unsigned char)*p, base);
        if (digit >= base)
            return;
        digits_add(&n->digits, digit);
        n->end = p + 1;
    }
}

static int is_base(int base) { return base == 0 || (base >= 2 && base <= 36); }

static long long to_signed(const char *text, char **end, int base, int binary_prefix, long long min, long long max)
{
    if (!is_base(base)) {
        errno = EINVAL;
        return 0;
    }
    struct number n;
    read_number(&n, text, (unsigned)base, binary_prefix);
    if (end)
        *end = (char *)n.end;
    unsigned long long limit = n.negative ? 0 - (unsigned long long)min : (unsigned long long)max;
    if (n.digits.overflow || n.digits.magnitude > limit) {
        errno = ERANGE;
        return n.negative ? min : max;
    }
    return n.negative ? (long long)(0 - n.digits.magnitude) : (long long)n.digits.magnitude;
}

static unsigned long long to_unsigned(const char *text, char **end, int base, int binary_prefix, unsigned long long max)
{
    if (!is_base(base)) {
        errno = EINVAL;
        return 0;
    }
    struct number n;
    read_number(&n, text, (unsigned)base, binary_prefix);
    if (end)
        *end = (char *)n.end;
    if (n.digits.overflow || n.digits.magnitude > max) {
        errno = ERANGE;
        return max;
    }
    return n.negative ? 0 - n.digits.magnitude : n.digits.magnitude;
}

#define SIGNED(type, name, binary, min, max)                                                                           \
    WEAK type name(const char *text, char **end, int base)                                                             \
    {                                                                                                                  \
        return (type)to_signed(text, end, base, binary, min, max);                                                     \
    }
#define UNSIGNED(type, name, binary, max)                                                                              \
    WEAK type name(const char *text, char **end, int base)                                                             \
    {                                                                                                                  \
        return (type)to_unsigned(text, end, base, binary, max);                                                        \
    }

SIGNED(long, strtol, 0, LONG_MIN, LONG_MAX)
SIGNED(long long, strtoll, 0, LLONG_MIN, LLONG_MAX)
SIGNED(long long, strtoq, 0, LLONG_MIN, LLONG_MAX)
SIGNED(intmax_t, strtoimax, 0, INTMAX_MIN, INTMAX_MAX)
UNSIGNED(unsigned long, strtoul, 0, ULONG_MAX)
UNSIGNED(unsigned long long, strtoull, 0, ULLONG_MAX)
UNSIGNED(unsigned long long, strtouq, 0, ULLONG_MAX)
UNSIGNED(uintmax_t, strtoumax, 0, UINTMAX_MAX)
SIGNED(long, __isoc23_strtol, 1, LONG_MIN, LONG_MAX)
SIGNED(long long, __isoc23_strtoll, 1, LLONG_MIN, LLONG_MAX)
SIGNED(intmax_t, __isoc23_strtoimax, 1, INTMAX_MIN, INTMAX_MAX)
UNSIGNED(unsigned long, __isoc23_strtoul, 1, ULONG_MAX)
UNSIGNED(unsigned long long, __isoc23_strtoull, 1, ULLONG_MAX)
UNSIGNED(uintmax_t, __isoc23_strtoumax, 1, UINTMAX_MAX)

/* For other files of the run-time. */
SIGNED(long, __selvedge_strtol, 0, LONG_MIN, LONG_MAX)
SIGNED(long long, __selvedge_strtoll, 0, LLONG_MIN, LLONG_MAX)
UNSIGNED(unsigned long, __selvedge_strtoul, 0, ULONG_MAX)
UNSIGNED(unsigned long long, __selvedge_strtoull, 0, ULLONG_MAX)

WEAK int atoi(const char *text) { return (int)to_signed(text, NULL, 10, 0, LONG_MIN, LONG_MAX); }
WEAK long atol(const char *text) { return (long)to_signed(text, NULL, 10, 0, LONG_MIN, LONG_MAX); }
WEAK long long atoll(const char *text) { return to_signed(text, NULL, 10, 0, LLONG_MIN, LLONG_MAX); }

static double to_double(const char *text, char **end)
{
    int out_of_range = 0;
    double value = __selvedge_strtod(text, end, &out_of_range);
    if (out_of_range)
        errno = ERANGE;
    return value;
}

WEAK double strtod(const char *text, char **end) { return to_double(text, end); }
WEAK double atof(const char *text) { return to_double(text, NULL); }

WEAK float strtof(const char *text, char **end)
{
    int out_of_range = 0;
    float value = __selvedge_strtof(text, end, &out_of_range);
    if (out_of_range)
        errno = ERANGE;
    return value;
}

WEAK long double strtold(const char *text, char **end)
{
    int out_of_range = 0;
    long double value = __selvedge_strtold(text, end, &out_of_range);
    if (out_of_range)
        errno = ERANGE;
    return value;
}
