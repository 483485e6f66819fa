/* operator>> of C++ for numbers, in the C locale.
 *
 * As libstdc++ reads them: what cannot be the rest of a number stays in the stream, no number gives zero, and one that
 * is out of range gives the limit of its type; both are failures.
 */
#include "input.h"

#include "digits.h"

#include <float.h>

struct integer {
    struct digits digits;
    int is_negative;
    unsigned bits; /* of the state */
};

static void move_on(struct buffer *buffer, int *c)
{
    take(buffer);
    *c = look(buffer);
}

static void read_integer(struct ios *ios, struct integer *n)
{
    struct buffer *buffer = ios->buffer;
    unsigned field = ios->flags & (OCT | HEX | DEC);
    unsigned base = field == OCT ? 8 : field == HEX ? 16 : 10;
    int c = look(buffer), has_digits = 0;
    n->is_negative = c == '-';
    if (c == '-' || c == '+')
        move_on(buffer, &c);
    if (c == '0' && (field == 0 || field == HEX)) {
        has_digits = 1;
        move_on(buffer, &c);
        if (field == 0)
            base = 8;
        if ((c | 32) == 'x' && c != EOF) {
            base = 16;
            has_digits = 0;
            move_on(buffer, &c);
        }
    }
    digits_start(&n->digits, base);
    while (c != EOF) {
        unsigned digit = digit_value(c, base);
        if (digit >= base)
            break;
        digits_add(&n->digits, digit);
        has_digits = 1;
        move_on(buffer, &c);
    }
    n->bits = (c == EOF ? AT_END : 0u) | (has_digits ? 0u : FAIL);
}

static unsigned long long signed_value(struct integer *n, unsigned long long max)
{
    unsigned long long limit = max + (unsigned)n->is_negative;
    if (n->digits.overflow || n->digits.magnitude > limit) {
        n->bits |= FAIL;
        n->digits.magnitude = limit;
    }
    return n->is_negative ? 0 - n->digits.magnitude : n->digits.magnitude;
}

static unsigned long long unsigned_value(struct integer *n, unsigned long long max)
{
    if (n->digits.overflow || n->digits.magnitude > max) {
        n->bits |= FAIL;
        return max;
    }
    return n->is_negative ? 0 - n->digits.magnitude : n->digits.magnitude;
}

#define EXTRACT(name, type, value, max)                                                                                \
    WEAK void *name(void *in, type *to)                                                                                \
    {                                                                                                                  \
        struct ios *ios = ios_of(in);                                                                                  \
        if (starts(ios, 0)) {                                                                                          \
            struct integer n;                                                                                          \
            read_integer(ios, &n);                                                                                     \
            *to = (type)value(&n, max);                                                                                \
            set_state(ios, n.bits);                                                                                    \
        }                                                                                                              \
        return in;                                                                                                     \
    }

/* Those that were inline are not in modules that were compiled elsewhere. */
#define EXTRACT_BOTH(letter, type, value, max)                                                                         \
    EXTRACT(_ZNSi10_M_extractI##letter##EERSiRT_, type, value, max)                                                    \
    EXTRACT(_ZNSirsER##letter, type, value, max)

EXTRACT(_ZNSirsERs, short, signed_value, SHRT_MAX)
EXTRACT(_ZNSirsERi, int, signed_value, INT_MAX)
EXTRACT_BOTH(l, long, signed_value, LONG_MAX)
EXTRACT_BOTH(x, long long, signed_value, LLONG_MAX)
EXTRACT_BOTH(t, unsigned short, unsigned_value, USHRT_MAX)
EXTRACT_BOTH(j, unsigned, unsigned_value, UINT_MAX)
EXTRACT_BOTH(m, unsigned long, unsigned_value, ULONG_MAX)
EXTRACT_BOTH(y, unsigned long long, unsigned_value, ULLONG_MAX)

WEAK void *_ZNSi10_M_extractIbEERSiRT_(void *in, _Bool *to)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 0))
        return in;
    if (ios->flags & BOOLALPHA)
        __selvedge_unsupported("reading a truth value by its name");
    struct integer n;
    read_integer(ios, &n);
    unsigned long long value = signed_value(&n, LONG_MAX);
    *to = value != 0;
    set_state(ios, n.bits | (value > 1 ? FAIL : 0u));
    return in;
}

/* --- floating point --- */

/* Longer ones are not modelled. */
#define MAX_TEXT 120

/* Takes the longest text that may be a number. */
static unsigned read_real(struct buffer *buffer, char *text)
{
    int n = 0, has_digits = 0, has_point = 0, has_exponent = 0;
    int c = look(buffer);
    if (c == '-' || c == '+') {
        text[n++] = (char)c;
        move_on(buffer, &c);
    }
    while (c != EOF) {
        if (n + 2 >= MAX_TEXT)
            __selvedge_unsupported("a long floating-point number in a stream");
        if (is_digit(c)) {
            has_digits = 1;
        } else if (c == '.' && !has_point && !has_exponent) {
            has_point = 1;
        } else if ((c | 32) == 'e' && !has_exponent && has_digits) {
            has_exponent = 1;
            text[n++] = (char)c;
            move_on(buffer, &c);
            if (c != '+' && c != '-')
                continue;
        } else {
            break;
        }
        text[n++] = (char)c;
        move_on(buffer, &c);
    }
    text[n] = 0;
    return c == EOF ? AT_END : 0;
}

#define EXTRACT_REAL(name, type, convert, max)                                                                         \
    WEAK void *name(void *in, type *to)                                                                                \
    {                                                                                                                  \
        struct ios *ios = ios_of(in);                                                                                  \
        if (!starts(ios, 0))                                                                                           \
            return in;                                                                                                 \
        char text[MAX_TEXT], *end = text;                                                                              \
        unsigned bits = read_real(ios->buffer, text);                                                                  \
        int out_of_range = 0;                                                                                          \
        type value = convert(text, &end, &out_of_range);                                                               \
        if (end == text || *end) {                                                                                     \
            value = 0;                                                                                                 \
            bits |= FAIL;                                                                                              \
        } else if (value > max || value < -max) {                                                                      \
            value = value > 0 ? max : -max;                                                                            \
            bits |= FAIL;                                                                                              \
        }                                                                                                              \
        *to = value;                                                                                                   \
        set_state(ios, bits);                                                                                          \
        return in;                                                                                                     \
    }

EXTRACT_REAL(_ZNSi10_M_extractIdEERSiRT_, double, __selvedge_strtod, DBL_MAX)
EXTRACT_REAL(_ZNSi10_M_extractIfEERSiRT_, float, __selvedge_strtof, FLT_MAX)
EXTRACT_REAL(_ZNSirsERd, double, __selvedge_strtod, DBL_MAX)
EXTRACT_REAL(_ZNSirsERf, float, __selvedge_strtof, FLT_MAX)
