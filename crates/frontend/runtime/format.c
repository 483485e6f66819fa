/* The formatter behind sprintf, snprintf and their kin.
 *
 * All integer conversions with flags, width, precision and length; %s %c %p %n %m %%; what glibc prints for NULL.
 * Wide characters are those of the C locale. Floating-point conversions are rendered by the engine (concrete values
 * only). Long double and positional arguments (%1$d) are not modelled.
 * As in glibc, an unknown conversion is copied to the output, and a format that ends within one gives -1.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct output {
    char *buf;
    size_t size;    /* room in `buf`, with the NUL */
    size_t length;  /* bytes produced so far, whether there was room or not */
    int has_failed; /* a wide character has no byte */
};

enum size { INT, CHAR, SHORT, LONG, LONG_LONG, INTMAX, SIZE, PTRDIFF };

struct spec {
    int left, plus, space, alternate, zero;
    int width;
    int precision; /* -1 if there is none */
    enum size size;
    char conversion;
};

/* A va_list is an array on some targets; inside a structure it can be passed by reference everywhere. */
struct arguments {
    va_list list;
};

static void put(struct output *out, char c)
{
    if (out->length + 1 < out->size)
        out->buf[out->length] = c;
    out->length++;
}

static void put_times(struct output *out, char c, int times)
{
    for (int i = 0; i < times; i++)
        put(out, c);
}

/* `length` bytes, padded with spaces to the width. */
static void put_text(struct output *out, const struct spec *spec, const char *text, int length)
{
    if (!spec->left)
        put_times(out, ' ', spec->width - length);
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    if (spec->left)
        put_times(out, ' ', spec->width - length);
}

static void put_string(struct output *out, const struct spec *spec, const char *text)
{
    if (!text) {
        __selvedge_assumed("library.print-null");
        text = spec->precision >= 0 && spec->precision < 6 ? "" : "(null)";
    }
    int length = 0;
    while (length != spec->precision && text[length])
        length++;
    put_text(out, spec, text, length);
}

/* Wide text in the C locale: a character that no byte stands for is an error. */
static void put_wide(struct output *out, const struct spec *spec, const wchar_t *text, int length)
{
    if (!spec->left)
        put_times(out, ' ', spec->width - length);
    for (int i = 0; i < length; i++) {
        out->has_failed |= (unsigned)text[i] >= 128;
        put(out, (char)text[i]);
    }
    if (spec->left)
        put_times(out, ' ', spec->width - length);
}

static void put_wide_string(struct output *out, const struct spec *spec, const wchar_t *text)
{
    if (!text) {
        __selvedge_assumed("library.print-null");
        text = spec->precision >= 0 && spec->precision < 6 ? L"" : L"(null)";
    }
    int length = 0;
    while (length != spec->precision && text[length])
        length++;
    put_wide(out, spec, text, length);
}

/* An integer: padding, sign or prefix, zeros, digits. */
static void put_integer(struct output *out, const struct spec *spec, unsigned long long value, unsigned base,
                        const char *prefix)
{
    char digits[64]; /* lowest first */
    int n_digits = 0, n_prefix = 0, n_zeros = 0;
    unsigned letters = (spec->conversion == 'X' ? 'A' : 'a') - '0' - 10u;
    if (spec->precision != 0 || value != 0) {
        do {
            unsigned digit = (unsigned)(value % base);
            digits[n_digits++] = (char)('0' + digit + (-(unsigned)(digit > 9) & letters));
            value /= base;
        } while (value);
    }
    while (prefix[n_prefix])
        n_prefix++;
    if (spec->precision > n_digits)
        n_zeros = spec->precision - n_digits;
    if (spec->conversion == 'o' && spec->alternate && n_zeros == 0 && (n_digits == 0 || digits[n_digits - 1] != '0'))
        n_zeros = 1;
    int padding = spec->width - n_prefix - n_zeros - n_digits;
    if (spec->zero && !spec->left && spec->precision < 0) {
        if (padding > 0)
            n_zeros += padding;
        padding = 0;
    }
    if (!spec->left)
        put_times(out, ' ', padding);
    for (int i = 0; i < n_prefix; i++)
        put(out, prefix[i]);
    put_times(out, '0', n_zeros);
    while (n_digits > 0)
        put(out, digits[--n_digits]);
    if (spec->left)
        put_times(out, ' ', padding);
}

static void put_signed(struct output *out, const struct spec *spec, long long value)
{
    if (value < 0)
        put_integer(out, spec, 0 - (unsigned long long)value, 10, "-");
    else
        put_integer(out, spec, (unsigned long long)value, 10, spec->plus ? "+" : spec->space ? " " : "");
}

static void put_pointer(struct output *out, const struct spec *spec, void *pointer)
{
    struct spec as = *spec;
    as.conversion = 'x';
    if (pointer)
        put_integer(out, &as, (uintptr_t)pointer, 16, spec->plus ? "+0x" : spec->space ? " 0x" : "0x");
    else
        put_text(out, spec, "(nil)", 5);
}

/* Writes a non-negative number in decimal; returns the end. */
static char *write_decimal(char *to, int value)
{
    char digits[10];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n > 0)
        *to++ = digits[--n];
    return to;
}

/* The engine renders a double by the conversion alone, so it is spelled out again with the values of the stars. */
static void put_double(struct output *out, const struct spec *spec, double value)
{
    char again[40], *p = again;
    *p++ = '%';
    if (spec->left)
        *p++ = '-';
    if (spec->plus)
        *p++ = '+';
    if (spec->space)
        *p++ = ' ';
    if (spec->alternate)
        *p++ = '#';
    if (spec->zero)
        *p++ = '0';
    if (spec->width > 0)
        p = write_decimal(p, spec->width);
    if (spec->precision >= 0) {
        *p++ = '.';
        p = write_decimal(p, spec->precision);
    }
    *p++ = spec->conversion;
    *p = 0;

    char usual[64], *text = usual;
    int length = __selvedge_format_double(usual, sizeof usual, again, value);
    if ((size_t)length >= sizeof usual) {
        text = malloc((size_t)length + 1);
        if (!text)
            __selvedge_unsupported("printf without memory for a long floating-point number");
        __selvedge_format_double(text, (unsigned long)length + 1, again, value);
    }
    for (int i = 0; i < length; i++)
        put(out, text[i]);
    if (text != usual)
        free(text);
}

static long long next_signed(struct arguments *args, enum size size)
{
    switch (size) {
    case CHAR:
        return (signed char)va_arg(args->list, int);
    case SHORT:
        return (short)va_arg(args->list, int);
    case LONG:
        return va_arg(args->list, long);
    case LONG_LONG:
        return va_arg(args->list, long long);
    case INTMAX:
        return va_arg(args->list, intmax_t);
    case SIZE:
    case PTRDIFF:
        return va_arg(args->list, ptrdiff_t);
    default:
        return va_arg(args->list, int);
    }
}

static unsigned long long next_unsigned(struct arguments *args, enum size size)
{
    switch (size) {
    case CHAR:
        return (unsigned char)va_arg(args->list, int);
    case SHORT:
        return (unsigned short)va_arg(args->list, int);
    case LONG:
        return va_arg(args->list, unsigned long);
    case LONG_LONG:
        return va_arg(args->list, unsigned long long);
    case INTMAX:
        return va_arg(args->list, uintmax_t);
    case SIZE:
    case PTRDIFF:
        return va_arg(args->list, size_t);
    default:
        return va_arg(args->list, unsigned);
    }
}

static void store_length(struct arguments *args, enum size size, size_t length)
{
    void *to = va_arg(args->list, void *);
    switch (size) {
    case CHAR:
        *(signed char *)to = (signed char)length;
        break;
    case SHORT:
        *(short *)to = (short)length;
        break;
    case LONG:
        *(long *)to = (long)length;
        break;
    case LONG_LONG:
    case INTMAX:
        *(long long *)to = (long long)length;
        break;
    case SIZE:
    case PTRDIFF:
        *(ptrdiff_t *)to = (ptrdiff_t)length;
        break;
    default:
        *(int *)to = (int)length;
        break;
    }
}

static int parse_number(const char **format)
{
    int value = 0;
    while (is_digit(**format))
        value = value * 10 + (*(*format)++ - '0');
    return value;
}

static void parse_flags(const char **format, struct spec *spec)
{
    for (;; (*format)++) {
        switch (**format) {
        case '-':
            spec->left = 1;
            break;
        case '+':
            spec->plus = 1;
            break;
        case ' ':
            spec->space = 1;
            break;
        case '#':
            spec->alternate = 1;
            break;
        case '0':
            spec->zero = 1;
            break;
        case '\'': /* thousands: the C locale has no separator */
        case 'I':
            break;
        default:
            return;
        }
    }
}

static void parse_width_and_precision(const char **format, struct spec *spec, struct arguments *args)
{
    if (**format == '*') {
        (*format)++;
        spec->width = va_arg(args->list, int);
        if (spec->width < 0) {
            spec->left = 1;
            spec->width = -spec->width;
        }
    } else {
        spec->width = parse_number(format);
    }
    if (**format != '.')
        return;
    (*format)++;
    if (**format == '*') {
        (*format)++;
        spec->precision = va_arg(args->list, int);
        if (spec->precision < 0)
            spec->precision = -1;
    } else {
        spec->precision = parse_number(format);
    }
}

static enum size parse_size(const char **format)
{
    switch (*(*format)++) {
    case 'h':
        if (**format != 'h')
            return SHORT;
        (*format)++;
        return CHAR;
    case 'l':
        if (**format != 'l')
            return LONG;
        (*format)++;
        return LONG_LONG;
    case 'q':
    case 'L':
        return LONG_LONG;
    case 'j':
        return INTMAX;
    case 'z':
    case 'Z':
        return SIZE;
    case 't':
        return PTRDIFF;
    default:
        (*format)--;
        return INT;
    }
}

/* One conversion, whose text is from `start` to the conversion letter. */
static void convert(struct output *out, const struct spec *spec, struct arguments *args, const char *start)
{
    char c = spec->conversion;
    switch (c) {
    case 'd':
    case 'i':
        put_signed(out, spec, next_signed(args, spec->size));
        break;
    case 'u':
        put_integer(out, spec, next_unsigned(args, spec->size), 10, "");
        break;
    case 'o':
        put_integer(out, spec, next_unsigned(args, spec->size), 8, "");
        break;
    case 'x':
    case 'X':
    case 'b': {
        unsigned long long value = next_unsigned(args, spec->size);
        const char *prefix = c == 'x' ? "0x" : c == 'X' ? "0X" : "0b";
        put_integer(out, spec, value, c == 'b' ? 2 : 16, spec->alternate && value != 0 ? prefix : "");
        break;
    }
    case 'C':
    case 'c': {
        if (spec->size == LONG || c == 'C') {
            wchar_t wide = (wchar_t)va_arg(args->list, wint_t);
            put_wide(out, spec, &wide, 1);
            break;
        }
        char text = (char)va_arg(args->list, int);
        put_text(out, spec, &text, 1);
        break;
    }
    case 'S':
    case 's':
        if (spec->size == LONG || c == 'S')
            put_wide_string(out, spec, va_arg(args->list, const wchar_t *));
        else
            put_string(out, spec, va_arg(args->list, const char *));
        break;
    case 'p':
        put_pointer(out, spec, va_arg(args->list, void *));
        break;
    case 'n':
        store_length(args, spec->size, out->length);
        break;
    case 'm':
        put_string(out, spec, __selvedge_error_text(errno));
        break;
    case '%':
        put(out, '%');
        break;
    case 'a':
    case 'A':
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
        if (spec->size == LONG_LONG)
            __selvedge_unsupported("long double in printf");
        put_double(out, spec, va_arg(args->list, double));
        break;
    case '$':
        __selvedge_unsupported("positional argument in printf");
    default:
        for (; *start != c; start++)
            put(out, *start);
        put(out, c);
    }
}

WEAK int __selvedge_format(char *buf, size_t size, const char *format, va_list list)
{
    struct output out = {.buf = buf, .size = size};
    struct arguments args;
    va_copy(args.list, list);
    int incomplete = 0;
    while (*format) {
        if (*format != '%') {
            put(&out, *format++);
            continue;
        }
        const char *start = format++;
        struct spec spec = {.precision = -1};
        parse_flags(&format, &spec);
        parse_width_and_precision(&format, &spec, &args);
        spec.size = parse_size(&format);
        spec.conversion = *format;
        if (!spec.conversion) {
            incomplete = 1;
            break;
        }
        convert(&out, &spec, &args, start);
        format++;
    }
    /* The caller's list is used up, where it is one and not a copy. */
    va_copy(list, args.list);
    va_end(args.list);
    if (size > 0)
        out.buf[out.length < size ? out.length : size - 1] = 0;
    if (out.has_failed) {
        errno = EILSEQ;
        return -1;
    }
    if (out.length > INT_MAX) {
        errno = EOVERFLOW;
        return -1;
    }
    return incomplete ? -1 : (int)out.length;
}
