/* The scanner behind scanf, fscanf and sscanf, from a text or from a stream.
 *
 * Conversions d i u x X o p c s [ n % and the floating-point ones (whose value the engine computes), with widths, `*`
 * and lengths. Long double, wide characters, allocation (%ms) and positional arguments are not modelled.
 * Where the C standard leaves a choice, this follows glibc: a number out of range takes the limit of long (or long
 * long) and is then cut to the type; a lone `0x` reads as 0.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include "digits.h"

#include <stdio.h>

/* What `struct field` holds when the width is used up. */
#define NOTHING (-2)

/* The longest floating-point number that is read. */
#define MAX_FLOAT 511

struct input {
    const char *text; /* NULL: read from `file` */
    void *file;
    int consumed;
};

enum result { DONE, MISMATCH, END };
enum size { INT, CHAR, SHORT, LONG, LONG_LONG, INTMAX, SIZE };

struct spec {
    int discard;
    int width; /* INT_MAX if there is none */
    enum size size;
    char conversion;
};

struct arguments {
    va_list list;
};

static int get(struct input *in)
{
    int c;
    if (in->text) {
        c = (unsigned char)*in->text;
        if (!c)
            return EOF;
        in->text++;
    } else {
        c = __selvedge_getc(in->file);
        if (c == EOF)
            return EOF;
    }
    in->consumed++;
    return c;
}

static void unget(struct input *in, int c)
{
    if (c < 0)
        return;
    in->consumed--;
    if (in->text)
        in->text--;
    else
        __selvedge_ungetc(c, in->file);
}

static int skip_space(struct input *in)
{
    int c;
    do
        c = get(in);
    while (is_space(c));
    unget(in, c);
    return c;
}

/* One input field: the byte under consideration, and how many more may be taken. */
struct field {
    struct input *in;
    int c;
    int room;
};

static void advance(struct field *f) { f->c = f->room-- > 0 ? get(f->in) : NOTHING; }

static void start(struct field *f, struct input *in, int width)
{
    f->in = in;
    f->room = width;
    advance(f);
}

static void store_integer(struct arguments *args, enum size size, unsigned long long value)
{
    void *to = va_arg(args->list, void *);
    switch (size) {
    case CHAR:
        *(unsigned char *)to = (unsigned char)value;
        break;
    case SHORT:
        *(unsigned short *)to = (unsigned short)value;
        break;
    case LONG:
    case SIZE:
        *(unsigned long *)to = (unsigned long)value;
        break;
    case LONG_LONG:
    case INTMAX:
        *(unsigned long long *)to = value;
        break;
    default:
        *(unsigned *)to = (unsigned)value;
        break;
    }
}

/* The value of the digits in the widest type that strtol, strtoul, strtoll or strtoull would give. */
static unsigned long long limited(const struct digits *d, int negative, int is_signed, int is_long_long)
{
    unsigned long long max = is_long_long ? ULLONG_MAX : ULONG_MAX;
    if (is_signed)
        max = max / 2 + (unsigned)negative;
    int outside = d->overflow || d->magnitude > max;
    if (outside)
        errno = ERANGE;
    if (outside && !is_signed)
        return max;
    unsigned long long value = outside ? max : d->magnitude;
    return negative ? 0 - value : value;
}

static enum result scan_integer(struct input *in, const struct spec *spec, struct arguments *args, unsigned base,
                                int is_signed, int binary_prefix)
{
    struct field f;
    int negative = 0, any = 0;
    start(&f, in, spec->width);
    if (f.c == '-' || f.c == '+') {
        negative = f.c == '-';
        advance(&f);
    }
    if ((base == 0 || base == 16) && f.c == '0') {
        any = 1;
        advance(&f);
        if ((f.c | 32) == 'x') {
            base = 16;
            advance(&f);
        } else if (binary_prefix && base == 0 && (f.c | 32) == 'b') {
            base = 2;
            advance(&f);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    struct digits d;
    digits_start(&d, base);
    for (;;) {
        unsigned digit = digit_value(f.c, base);
        if (digit >= base)
            break;
        digits_add(&d, digit);
        any = 1;
        advance(&f);
    }
    unget(in, f.c);
    if (!any)
        return MISMATCH;
    if (spec->discard)
        return DONE;
    if (spec->conversion == 'p') {
        *va_arg(args->list, void **) = (void *)(uintptr_t)limited(&d, negative, 0, 0);
    } else {
        int is_long_long = spec->size == LONG_LONG || spec->size == INTMAX;
        store_integer(args, spec->size, limited(&d, negative, is_signed, is_long_long));
    }
    return DONE;
}

struct float_text {
    char bytes[MAX_FLOAT + 1];
    int length;
};

/* Takes the byte of the field into the text. */
static void take(struct field *f, struct float_text *text)
{
    if (text->length == MAX_FLOAT)
        __selvedge_unsupported("scanf of a floating-point number with more than 511 characters");
    text->bytes[text->length++] = (char)f->c;
    advance(f);
}

static int take_digits(struct field *f, struct float_text *text, unsigned base)
{
    int n = 0;
    for (; digit_value(f->c, base) < base; n++)
        take(f, text);
    return n;
}

/* Takes as much of `word` (in either case) as is there; returns whether all of it was. */
static int take_word(struct field *f, struct float_text *text, const char *word)
{
    for (; *word; word++) {
        if (to_lower(f->c) != *word)
            return 0;
        take(f, text);
    }
    return 1;
}

/* Takes the characters of a floating-point number; returns whether they make one. */
static int take_float(struct field *f, struct float_text *text)
{
    if (f->c == '-' || f->c == '+')
        take(f, text);
    if (to_lower(f->c) == 'n')
        return take_word(f, text, "nan");
    if (to_lower(f->c) == 'i')
        return take_word(f, text, "inf") && (to_lower(f->c) != 'i' || take_word(f, text, "inity"));
    unsigned base = 10;
    int n = 0;
    if (f->c == '0') {
        take(f, text);
        n = 1;
        if (to_lower(f->c) == 'x') {
            take(f, text);
            base = 16;
            n = 0;
        }
    }
    n += take_digits(f, text, base);
    int point = f->c == '.';
    if (point) {
        take(f, text);
        n += take_digits(f, text, base);
    }
    if (n == 0)
        return point && base == 16; /* glibc reads `0x.` as 0 */
    if (to_lower(f->c) == (base == 16 ? 'p' : 'e')) {
        take(f, text);
        if (f->c == '-' || f->c == '+')
            take(f, text);
        take_digits(f, text, 10);
    }
    return 1;
}

static enum result scan_float(struct input *in, const struct spec *spec, struct arguments *args)
{
    if (spec->size == LONG_LONG)
        __selvedge_unsupported("long double in scanf");
    struct field f;
    struct float_text text;
    text.length = 0;
    start(&f, in, spec->width);
    int is_number = take_float(&f, &text);
    unget(in, f.c);
    if (!is_number)
        return MISMATCH;
    text.bytes[text.length] = 0;
    if (spec->discard)
        return DONE;
    int out_of_range = 0;
    if (spec->size == LONG)
        *va_arg(args->list, double *) = __selvedge_strtod(text.bytes, NULL, &out_of_range);
    else
        *va_arg(args->list, float *) = __selvedge_strtof(text.bytes, NULL, &out_of_range);
    if (out_of_range)
        errno = ERANGE;
    return DONE;
}

/* The bytes of `%[...]`, or of %s and %c, which take all but space, and all. */
struct set {
    const char *begin, *end; /* without the brackets; NULL for %s and %c */
    int inverted;
    int space; /* whether white space belongs to it, if there is no list */
};

/* Whether `c` belongs to the set, without a branch on `c`. */
static int belongs(const struct set *set, int c)
{
    if (!set->begin)
        return set->space | !is_space(c);
    int found = 0;
    for (const char *p = set->begin; p < set->end; p++) {
        int low = (unsigned char)*p, high = low;
        if (p + 2 < set->end && p[1] == '-' && (unsigned char)p[2] >= low) {
            high = (unsigned char)p[2];
            p += 2;
        }
        found |= (c >= low) & (c <= high);
    }
    return found ^ set->inverted;
}

static enum result scan_bytes(struct input *in, const struct spec *spec, struct arguments *args, const struct set *set,
                              int terminate)
{
    if (spec->size == LONG)
        __selvedge_unsupported("wide characters in scanf");
    char *to = spec->discard ? NULL : va_arg(args->list, char *);
    int is_endless = to && in->file && spec->width == INT_MAX;
    if (to && in->file && !is_endless)
        __selvedge_must_fit(to, (size_t)spec->width + (size_t)terminate);
    struct field f;
    int n = 0, goes_on = 0;
    start(&f, in, spec->width);
    if (f.c == EOF)
        return END;
    for (; f.c >= 0 && belongs(set, f.c); n++) {
        if (to)
            to[n] = (char)f.c;
        advance(&f);
        if (f.c == EOF && is_endless && (goes_on = __selvedge_goes_on(in->file, to, (size_t)n + 1)))
            advance(&f);
        if (goes_on)
            __VERIFIER_assume(belongs(set, f.c) & (f.c != 0));
    }
    unget(in, f.c);
    if (n == 0)
        return MISMATCH;
    if (to && terminate)
        to[n] = 0;
    return DONE;
}

/* Reads the list of `%[`; `*format` stands after the bracket and is left on the closing one. */
static void parse_set(const char **format, struct set *set)
{
    set->inverted = **format == '^';
    *format += set->inverted;
    set->begin = *format;
    if (**format == ']')
        (*format)++;
    while (**format && **format != ']')
        (*format)++;
    set->end = *format;
}

static void parse_spec(const char **format, struct spec *spec)
{
    const char *p = *format;
    spec->discard = 0;
    spec->size = INT;
    spec->width = 0;
    for (; *p == '*' || *p == '\'' || *p == 'I'; p++)
        spec->discard |= *p == '*';
    for (; is_digit(*p); p++)
        spec->width = spec->width * 10 + (*p - '0');
    if (spec->width == 0)
        spec->width = INT_MAX;
    switch (*p) {
    case 'h':
        spec->size = p[1] == 'h' ? CHAR : SHORT;
        p += p[1] == 'h' ? 2 : 1;
        break;
    case 'l':
        spec->size = p[1] == 'l' ? LONG_LONG : LONG;
        p += p[1] == 'l' ? 2 : 1;
        break;
    case 'L':
    case 'q':
        spec->size = LONG_LONG;
        p++;
        break;
    case 'j':
        spec->size = INTMAX;
        p++;
        break;
    case 'z':
    case 't':
        spec->size = SIZE;
        p++;
        break;
    }
    spec->conversion = *p;
    *format = p;
}

/* One conversion; `*format` stands on its letter. */
static enum result convert(struct input *in, const char **format, struct spec *spec, struct arguments *args,
                           int binary_prefix)
{
    struct set set = {0};
    switch (spec->conversion) {
    case 'd':
        return scan_integer(in, spec, args, 10, 1, binary_prefix);
    case 'i':
        return scan_integer(in, spec, args, 0, 1, binary_prefix);
    case 'u':
        return scan_integer(in, spec, args, 10, 0, binary_prefix);
    case 'o':
        return scan_integer(in, spec, args, 8, 0, binary_prefix);
    case 'x':
    case 'X':
    case 'p':
        return scan_integer(in, spec, args, 16, 0, binary_prefix);
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        return scan_float(in, spec, args);
    case 's':
        return scan_bytes(in, spec, args, &set, 1);
    case 'c':
        set.space = 1;
        if (spec->width == INT_MAX)
            spec->width = 1;
        return scan_bytes(in, spec, args, &set, 0);
    case '[':
        (*format)++;
        parse_set(format, &set);
        return scan_bytes(in, spec, args, &set, 1);
    case 'n':
        if (!spec->discard)
            store_integer(args, spec->size, (unsigned long long)in->consumed);
        return DONE;
    default:
        __selvedge_unsupported("conversion in scanf that is not modelled");
    }
}

static enum result match(struct input *in, char wanted)
{
    int c = get(in);
    if (c == EOF)
        return END;
    if (c == (unsigned char)wanted)
        return DONE;
    unget(in, c);
    return MISMATCH;
}

WEAK int __selvedge_scan(const char *text, void *file, const char *format, va_list list, int binary_prefix)
{
    /* As in glibc, this call does not mark the stream as failed. */
    if (file && !__selvedge_is_readable(file)) {
        errno = EBADF;
        return EOF;
    }
    struct input in = {.text = text, .file = file};
    struct arguments args;
    va_copy(args.list, list);
    int assigned = 0;
    enum result result = DONE;
    for (; *format && result == DONE; format++) {
        if (is_space((unsigned char)*format)) {
            skip_space(&in);
            continue;
        }
        if (*format != '%') {
            result = match(&in, *format);
            continue;
        }
        format++;
        struct spec spec;
        parse_spec(&format, &spec);
        char c = spec.conversion;
        if (c != 'c' && c != '[' && c != 'n' && skip_space(&in) == EOF) {
            result = END;
        } else if (c == '%') {
            result = match(&in, '%');
        } else {
            result = convert(&in, &format, &spec, &args, binary_prefix);
            assigned += result == DONE && !spec.discard && c != 'n';
        }
        if (!*format)
            break;
    }
    va_copy(list, args.list);
    va_end(args.list);
    return result == END && assigned == 0 ? EOF : assigned;
}
