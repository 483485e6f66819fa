/* Output streams of C++: std::cout and its siblings, and what every std::ostream does with text and numbers.
 *
 * Numbers follow the format flags as libstdc++'s do. Where a stream leads to the console or a file, a number goes there
 * by `fprintf`, so that a symbolic one is not split into digits for the console; only a fill other than a space (or a
 * zero after the sign) needs its digits. Into memory it is written digit by digit.
 */
#include "iostreams.h"

#include "streams.h"

static ptrdiff_t write_to_file(struct file_buffer *buffer, const char *from, ptrdiff_t size)
{
    return (ptrdiff_t)fwrite(from, 1, (size_t)size, buffer->file);
}

static int write_byte(struct file_buffer *buffer, int c) { return c == EOF ? 0 : fputc(c, buffer->file); }

static const entry table[16] = {
    NULL, TYPE, NONE, NONE, NONE, NONE, ENTRY(__selvedge_no_seek_by), ENTRY(__selvedge_no_seek_to),
    ENTRY(__selvedge_no_sync), NONE, ENTRY(__selvedge_buffer_get),
    ENTRY(__selvedge_no_input), ENTRY(__selvedge_no_input), ENTRY(__selvedge_no_put_back), ENTRY(write_to_file),
    ENTRY(write_byte)};

struct output {
    const long *table;
    struct ios ios;
};

static const long distance[5] = {offsetof(struct output, ios)};

static struct file_buffer standard[2] = {STANDARD_BUFFER(table + 2, __selvedge_stdout_file),
                                         STANDARD_BUFFER(table + 2, __selvedge_stderr_file)};
#define STANDARD(i, flags) {distance + 3, STANDARD_IOS(&standard[i].base, SKIPWS | DEC | flags, NULL)}

WEAK struct output _ZSt4cout = STANDARD(0, 0);
WEAK struct output _ZSt4cerr = STANDARD(1, UNITBUF);
WEAK struct output _ZSt4clog = STANDARD(1, 0);

/* --- text --- */

/* Whether the stream can be written to. */
static int is_ready(struct ios *ios)
{
    if (ios->state & BAD)
        set_state(ios, FAIL);
    return ios->state == 0;
}

/* std::ostream::sentry */
WEAK void _ZNSo6sentryC1ERSo(struct { _Bool is_ok; void *stream; } *sentry, void *out)
{
    sentry->is_ok = is_ready(ios_of(out)) != 0;
    sentry->stream = out;
}

static void put(struct ios *ios, const char *text, ptrdiff_t size)
{
    if (size > 0 && put_several(ios->buffer, text, size) != size)
        set_state(ios, BAD);
}

static void put_fill(struct ios *ios, ptrdiff_t n)
{
    for (; n > 0; n--)
        put(ios, &ios->fill, 1);
}

/* As wide as the program asked for; `kept` bytes come before what fills up. */
static void put_padded(struct ios *ios, const char *text, ptrdiff_t size, ptrdiff_t kept)
{
    ptrdiff_t missing = ios->width > size ? ios->width - size : 0;
    unsigned where = ios->flags & (LEFT | INTERNAL);
    if (where == LEFT)
        kept = size;
    else if (where != INTERNAL)
        kept = 0;
    put(ios, text, kept);
    put_fill(ios, missing);
    put(ios, text + kept, size - kept);
    forget_width(ios);
}

static void *insert(void *out, const char *text, ptrdiff_t size)
{
    struct ios *ios = ios_of(out);
    if (is_ready(ios))
        put_padded(ios, text, size, 0);
    return out;
}

#if SIZE_MAX == UINT64_MAX
#define PUT_TEXT _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l
#define WRITE _ZNSo5writeEPKcl
#else
#define PUT_TEXT _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_i
#define WRITE _ZNSo5writeEPKci
#endif

WEAK void *PUT_TEXT(void *out, const char *text, ptrdiff_t size) { return insert(out, text, size); }

/* In modules that were compiled elsewhere these are not inline. */
WEAK void *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(void *out, const char *text)
{
    ptrdiff_t size = 0;
    while (text[size])
        size++;
    return insert(out, text, size);
}
WEAK void *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c(void *out, char c) { return insert(out, &c, 1); }

static void *put_unformatted(void *out, const char *text, ptrdiff_t size)
{
    struct ios *ios = ios_of(out);
    if (is_ready(ios))
        put(ios, text, size);
    return out;
}

WEAK void *_ZNSo3putEc(void *out, char c) { return put_unformatted(out, &c, 1); }
WEAK void *WRITE(void *out, const char *text, ptrdiff_t size) { return put_unformatted(out, text, size); }

static void *flush(void *out)
{
    struct ios *ios = ios_of(out);
    if (ios->buffer && is_ready(ios) && CALL(ios->buffer, int (*)(struct buffer *), SYNC)(ios->buffer) == -1)
        set_state(ios, BAD);
    return out;
}

WEAK void *_ZNSo5flushEv(void *out) { return flush(out); }
WEAK void *_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(void *out) { return flush(out); }
WEAK void *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(void *out)
{
    return flush(put_unformatted(out, "\n", 1));
}
WEAK void *_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(void *out) { return put_unformatted(out, "", 1); }
WEAK void *_ZNSolsEPFRSoS_E(void *out, void *(*f)(void *)) { return f(out); }
WEAK void *_ZNSolsEPFRSt8ios_baseS0_E(void *out, void *(*f)(struct ios *)) { return f(ios_of(out)), out; }

/* All that another buffer has. */
WEAK void *_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE(void *out, struct buffer *from)
{
    struct ios *ios = ios_of(out);
    if (!from)
        set_state(ios, BAD);
    if (!is_ready(ios))
        return out;
    size_t n = 0;
    for (int c; (c = look(from)) != EOF; n++) {
        char byte = (char)c;
        if (put_several(ios->buffer, &byte, 1) != 1)
            break;
        take(from);
    }
    if (n == 0)
        set_state(ios, FAIL);
    return out;
}

/* --- positions --- */

static struct position seek_by(struct buffer *b, long long offset, int from)
{
    return CALL(b, struct position (*)(struct buffer *, long long, int, int), SEEK_BY)(b, offset, from, OUT);
}

WEAK struct position _ZNSo5tellpEv(void *out)
{
    struct ios *ios = ios_of(out);
    if (ios->state & (BAD | FAIL))
        return (struct position){.offset = -1};
    return seek_by(ios->buffer, 0, 1);
}

static void *moved(void *out, struct position to)
{
    if (to.offset == -1)
        set_state(ios_of(out), FAIL);
    return out;
}

WEAK void *_ZNSo5seekpESt4fposI11__mbstate_tE(void *out, struct position to)
{
    struct ios *ios = ios_of(out);
    if (ios->state & (BAD | FAIL))
        return out;
    return moved(out, CALL(ios->buffer, struct position (*)(struct buffer *, struct position, int), SEEK_TO)(
                          ios->buffer, to, OUT));
}

WEAK void *_ZNSo5seekpElSt12_Ios_Seekdir(void *out, long offset, int from)
{
    struct ios *ios = ios_of(out);
    if (ios->state & (BAD | FAIL))
        return out;
    return moved(out, seek_by(ios->buffer, offset, from));
}

/* --- numbers --- */

__attribute__((format(printf, 3, 4))) static int format(char *to, size_t size, const char *spec, ...)
{
    va_list args;
    va_start(args, spec);
    int length = __selvedge_format(to, size, spec, args);
    va_end(args);
    return length;
}

/* How many bytes of a number come before what fills up after the sign: as in libstdc++, a zero of base 8 does not. */
static ptrdiff_t sign_of(const struct ios *ios, const char *text, ptrdiff_t size)
{
    if (!(ios->flags & INTERNAL))
        return 0;
    if (text[0] == '-' || text[0] == '+')
        return 1;
    return size > 1 && text[0] == '0' && (text[1] | 32) == 'x' ? 2 : 0;
}

/* Starts a specification. */
static char *begin(char *spec, const struct ios *ios, int plus, int alternative)
{
    *spec++ = '%';
    if (plus)
        *spec++ = '+';
    if (alternative)
        *spec++ = '#';
    if ((ios->flags & (LEFT | INTERNAL)) == LEFT)
        *spec++ = '-';
    return spec;
}

/* The file that a number can go to by fprintf: one that needs no digits to fill up. */
static FILE *direct(const struct ios *ios, int fills_up)
{
    if (ios->buffer->locale != &__selvedge_leads_to_file || (ios->width > 0 && !fills_up))
        return NULL;
    return ((const struct file_buffer *)ios->buffer)->file;
}

#define SEND(fills_up, ...)                                                                                            \
    do {                                                                                                               \
        FILE *file = direct(ios, fills_up);                                                                            \
        if (file) {                                                                                                    \
            int width = ios->width > 0 ? (int)ios->width : 0;                                                          \
            if (fprintf(file, spec, width, __VA_ARGS__) < 0)                                                           \
                set_state(ios, BAD);                                                                                   \
            forget_width(ios);                                                                                         \
        } else {                                                                                                       \
            int length = format(NULL, 0, spec, 0, __VA_ARGS__);                                                        \
            char text[(size_t)length + 1];                                                                             \
            format(text, (size_t)length + 1, spec, 0, __VA_ARGS__);                                                    \
            put_padded(ios, text, length, sign_of(ios, text, length));                                                 \
        }                                                                                                              \
    } while (0)

#pragma clang diagnostic ignored "-Wformat-nonliteral"

/* Whether zeros that fill up are where printf has them: behind the sign and the prefix, or there is neither. */
static int fills_with_zeros(const struct ios *ios, int has_sign, unsigned long long bits)
{
    unsigned where = ios->flags & (LEFT | INTERNAL);
    if (where == LEFT)
        return 0;
    if (where == INTERNAL)
        return 1;
    return has_sign ? !(ios->flags & SHOWPOS) && (long long)bits >= 0 : !(ios->flags & SHOWBASE);
}

static void *integer(void *out, int is_signed, unsigned long long bits)
{
    struct ios *ios = ios_of(out);
    if (!is_ready(ios))
        return out;
    unsigned base = ios->flags & (OCT | HEX | DEC);
    int is_decimal = base != OCT && base != HEX;
    int zeros = ios->width > 0 && ios->fill == '0' && fills_with_zeros(ios, is_decimal && is_signed, bits);
    char spec[16], *p = begin(spec, ios, is_decimal && is_signed && (ios->flags & SHOWPOS),
                              !is_decimal && (ios->flags & SHOWBASE));
    if (zeros)
        *p++ = '0';
    *p++ = '*';
    *p++ = 'l';
    *p++ = 'l';
    if (is_decimal)
        *p++ = is_signed ? 'd' : 'u';
    else if (base == OCT)
        *p++ = 'o';
    else
        *p++ = ios->flags & UPPERCASE ? 'X' : 'x';
    *p = 0;
    int spaces = ios->fill == ' ' && (ios->flags & (LEFT | INTERNAL)) != INTERNAL;
    SEND(spaces || zeros, bits);
    return out;
}

/* A narrow number in base 8 or 16 has the bits of its own width only. */
static void *narrow(void *out, long long value, unsigned long long mask)
{
    unsigned base = ios_of(out)->flags & (OCT | HEX | DEC);
    return integer(out, 1, base == OCT || base == HEX ? (unsigned long long)value & mask : (unsigned long long)value);
}

WEAK void *_ZNSolsEs(void *out, short value) { return narrow(out, value, USHRT_MAX); }
WEAK void *_ZNSolsEi(void *out, int value) { return narrow(out, value, UINT_MAX); }
WEAK void *_ZNSo9_M_insertIlEERSoT_(void *out, long value) { return narrow(out, value, ULONG_MAX); }
WEAK void *_ZNSo9_M_insertIxEERSoT_(void *out, long long value) { return integer(out, 1, (unsigned long long)value); }
WEAK void *_ZNSo9_M_insertImEERSoT_(void *out, unsigned long value) { return integer(out, 0, value); }
WEAK void *_ZNSo9_M_insertIyEERSoT_(void *out, unsigned long long value) { return integer(out, 0, value); }

static void *truth(void *out, _Bool value)
{
    if (!(ios_of(out)->flags & BOOLALPHA))
        return integer(out, 1, value);
    struct ios *ios = ios_of(out);
    if (is_ready(ios))
        put_padded(ios, value ? "true" : "false", value ? 4 : 5, 0);
    return out;
}

static void *address(void *out, const void *value)
{
    struct ios *ios = ios_of(out);
    unsigned flags = ios->flags, wanted = (flags & ~(unsigned)(OCT | DEC | UPPERCASE)) | HEX | SHOWBASE;
    if (flags != wanted)
        ios->flags = wanted;
    integer(out, 0, (uintptr_t)value);
    if (flags != wanted)
        ios->flags = flags;
    return out;
}

WEAK void *_ZNSo9_M_insertIbEERSoT_(void *out, _Bool value) { return truth(out, value); }
WEAK void *_ZNSo9_M_insertIPKvEERSoT_(void *out, const void *value) { return address(out, value); }

#define FLOATING(type, modifier)                                                                                       \
    struct ios *ios = ios_of(out);                                                                                     \
    if (!is_ready(ios))                                                                                                \
        return out;                                                                                                    \
    char spec[16], *p = begin(spec, ios, (ios->flags & SHOWPOS) != 0, (ios->flags & SHOWPOINT) != 0);                  \
    unsigned kind = ios->flags & (FIXED | SCIENTIFIC);                                                                 \
    int is_upper = (ios->flags & UPPERCASE) != 0;                                                                      \
    *p++ = '*';                                                                                                        \
    if (kind != (FIXED | SCIENTIFIC)) {                                                                                \
        *p++ = '.';                                                                                                    \
        *p++ = '*';                                                                                                    \
    }                                                                                                                  \
    if (modifier)                                                                                                      \
        *p++ = modifier;                                                                                               \
    const char *letters = kind == FIXED ? "ff" : kind == SCIENTIFIC ? "eE" : kind ? "aA" : "gG";                       \
    *p++ = letters[is_upper];                                                                                          \
    *p = 0;                                                                                                            \
    int precision = ios->precision < 0 ? 6 : (int)ios->precision;                                                      \
    int spaces = ios->fill == ' ' && (ios->flags & (LEFT | INTERNAL)) != INTERNAL;                                     \
    if (kind == (FIXED | SCIENTIFIC))                                                                                  \
        SEND(spaces, value);                                                                                           \
    else                                                                                                               \
        SEND(spaces, precision, value);                                                                                \
    return out

WEAK void *_ZNSo9_M_insertIdEERSoT_(void *out, double value) { FLOATING(double, 0); }
WEAK void *_ZNSo9_M_insertIeEERSoT_(void *out, long double value) { FLOATING(long double, 'L'); }

/* In modules that were compiled elsewhere these are not inline. */
static void *real(void *out, double value) { FLOATING(double, 0); }
WEAK void *_ZNSolsEb(void *out, _Bool value) { return truth(out, value); }
WEAK void *_ZNSolsEt(void *out, unsigned short value) { return integer(out, 0, value); }
WEAK void *_ZNSolsEj(void *out, unsigned value) { return integer(out, 0, value); }
WEAK void *_ZNSolsEl(void *out, long value) { return narrow(out, value, ULONG_MAX); }
WEAK void *_ZNSolsEm(void *out, unsigned long value) { return integer(out, 0, value); }
WEAK void *_ZNSolsEx(void *out, long long value) { return integer(out, 1, (unsigned long long)value); }
WEAK void *_ZNSolsEy(void *out, unsigned long long value) { return integer(out, 0, value); }
WEAK void *_ZNSolsEd(void *out, double value) { return real(out, value); }
WEAK void *_ZNSolsEf(void *out, float value) { return real(out, (double)value); }
WEAK void *_ZNSolsEPKv(void *out, const void *value) { return address(out, value); }
