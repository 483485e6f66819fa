/* Input streams of C++: what every std::istream does. std::cin is in cin.c, the numbers are in extract.c. */
#include "input.h"

/* Calls of a buffer's virtual functions. */
static struct position seek_by(struct buffer *b, long long offset, int from)
{
    return CALL(b, struct position (*)(struct buffer *, long long, int, int), SEEK_BY)(b, offset, from, IN);
}
static struct position seek_to(struct buffer *b, struct position to)
{
    return CALL(b, struct position (*)(struct buffer *, struct position, int), SEEK_TO)(b, to, IN);
}
static ptrdiff_t get_several(struct buffer *b, char *to, ptrdiff_t size)
{
    return CALL(b, ptrdiff_t (*)(struct buffer *, char *, ptrdiff_t), GET_SEVERAL)(b, to, size);
}

#if SIZE_MAX == UINT64_MAX
#define SIZED(name, rest) name##l##rest
#else
#define SIZED(name, rest) name##i##rest
#endif

/* --- characters and words --- */

WEAK void *_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_(void *in, char *to)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 0))
        return in;
    int c = take(ios->buffer);
    if (c == EOF)
        set_state(ios, AT_END | FAIL);
    else
        *to = (char)c;
    return in;
}

WEAK void *_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_(void *in)
{
    struct ios *ios = ios_of(in);
    if (starts(ios, 1) && skip_spaces(ios->buffer) == EOF)
        set_state(ios, AT_END);
    return in;
}

/* operator>> for std::string */
WEAK void *_ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE(
    void *in, struct text *to)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 0))
        return in;
    text_clear(to);
    ptrdiff_t most = ios->width > 0 ? ios->width : PTRDIFF_MAX, n = 0;
    int c = EOF;
    while (n < most && (c = look(ios->buffer)) != EOF && !is_space(c)) {
        text_append(to, (char)c);
        take(ios->buffer);
        n++;
    }
    forget_width(ios);
    set_state(ios, (c == EOF ? AT_END : 0u) | (n == 0 ? FAIL : 0u));
    return in;
}

/* operator>> for an array of so many characters */
WEAK void SIZED(_ZSt17__istream_extractRSiPc, )(void *in, char *to, ptrdiff_t size)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 0))
        return;
    ptrdiff_t most = ios->width > 0 && ios->width < size ? ios->width : size, n = 0;
    if (most > 0 && most < PTRDIFF_MAX)
        __selvedge_must_fit(to, (size_t)most);
    int c = look(ios->buffer);
    while (n < most - 1 && c != EOF && !is_space(c)) {
        to[n++] = (char)c;
        take(ios->buffer);
        c = look(ios->buffer);
    }
    to[n] = 0;
    unsigned bits = n == 0 ? FAIL : 0;
    if (n < most - 1 && c == EOF)
        bits |= AT_END;
    forget_width(ios);
    set_state(ios, bits);
}

/* std::getline */
WEAK void *_ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_(
    void *in, struct text *to, char end)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 1))
        return in;
    text_clear(to);
    for (;;) {
        int c = take(ios->buffer);
        if (c == EOF) {
            set_state(ios, AT_END | (to->length == 0 ? FAIL : 0u));
            return in;
        }
        if ((char)c == end)
            return in;
        text_append(to, (char)c);
    }
}

WEAK void *_ZNSirsEPFRSiS_E(void *in, void *(*f)(void *)) { return f(in); }
WEAK void *_ZNSirsEPFRSt8ios_baseS0_E(void *in, void *(*f)(struct ios *)) { return f(ios_of(in)), in; }

/* --- without a format --- */

WEAK int _ZNSi3getEv(struct input *in)
{
    struct ios *ios = ios_of(in);
    in->count = 0;
    int c = EOF;
    if (starts(ios, 1)) {
        c = take(ios->buffer);
        if (c == EOF)
            set_state(ios, AT_END | FAIL);
        else
            in->count = 1;
    }
    return c;
}

WEAK struct input *_ZNSi3getERc(struct input *in, char *to)
{
    struct ios *ios = ios_of(in);
    in->count = 0;
    if (starts(ios, 1)) {
        int c = take(ios->buffer);
        if (c == EOF) {
            set_state(ios, AT_END | FAIL);
        } else {
            in->count = 1;
            *to = (char)c;
        }
    }
    return in;
}

WEAK int _ZNSi4peekEv(struct input *in)
{
    struct ios *ios = ios_of(in);
    in->count = 0;
    if (!starts(ios, 1))
        return EOF;
    int c = look(ios->buffer);
    if (c == EOF)
        set_state(ios, AT_END);
    return c;
}

/* `get` leaves the end of the line, `getline` takes it. */
WEAK struct input *SIZED(_ZNSi3getEPc, c)(struct input *in, char *to, ptrdiff_t size, char end)
{
    struct ios *ios = ios_of(in);
    if (size > 0)
        __selvedge_must_fit(to, (size_t)size);
    in->count = 0;
    ptrdiff_t n = 0;
    unsigned bits = 0;
    if (starts(ios, 1)) {
        int c = look(ios->buffer);
        while (n + 1 < size && c != EOF && (char)c != end) {
            to[n++] = (char)c;
            take(ios->buffer);
            c = look(ios->buffer);
        }
        if (c == EOF)
            bits |= AT_END;
    }
    if (size > 0)
        to[n] = 0;
    in->count = n;
    set_state(ios, bits | (n == 0 ? FAIL : 0u));
    return in;
}

WEAK struct input *SIZED(_ZNSi7getlineEPc, c)(struct input *in, char *to, ptrdiff_t size, char end)
{
    struct ios *ios = ios_of(in);
    if (size > 0)
        __selvedge_must_fit(to, (size_t)size);
    in->count = 0;
    ptrdiff_t n = 0, taken = 0;
    unsigned bits = 0;
    if (starts(ios, 1)) {
        int c = look(ios->buffer);
        while (n + 1 < size && c != EOF && (char)c != end) {
            to[n++] = (char)c;
            take(ios->buffer);
            c = look(ios->buffer);
        }
        taken = n;
        if (c == EOF) {
            bits |= AT_END;
        } else if ((char)c == end) {
            take(ios->buffer);
            taken++;
        } else {
            bits |= FAIL;
        }
    }
    if (size > 0)
        to[n] = 0;
    in->count = taken;
    set_state(ios, bits | (taken == 0 ? FAIL : 0u));
    return in;
}

static struct input *ignore(struct input *in, ptrdiff_t most, int end)
{
    struct ios *ios = ios_of(in);
    in->count = 0;
    if (most <= 0 || !starts(ios, 1))
        return in;
    ptrdiff_t n = 0;
    while (n < most || most == PTRDIFF_MAX) {
        int c = take(ios->buffer);
        if (c == EOF) {
            set_state(ios, AT_END);
            break;
        }
        n++;
        if (c == end)
            break;
    }
    in->count = n;
    return in;
}

WEAK struct input *_ZNSi6ignoreEv(struct input *in) { return ignore(in, 1, EOF); }
WEAK struct input *SIZED(_ZNSi6ignoreE, )(struct input *in, ptrdiff_t most) { return ignore(in, most, EOF); }
WEAK struct input *SIZED(_ZNSi6ignoreE, i)(struct input *in, ptrdiff_t most, int end) { return ignore(in, most, end); }

WEAK struct input *SIZED(_ZNSi4readEPc, )(struct input *in, char *to, ptrdiff_t size)
{
    struct ios *ios = ios_of(in);
    in->count = 0;
    if (size > 0)
        __selvedge_must_fit(to, (size_t)size);
    if (!starts(ios, 1))
        return in;
    in->count = get_several(ios->buffer, to, size);
    if (in->count != size)
        set_state(ios, AT_END | FAIL);
    return in;
}

/* --- going back --- */

/* Makes a stream that was at its end usable again. */
static int goes_back(struct input *in, struct ios *ios)
{
    in->count = 0;
    ios->state &= ~(unsigned)AT_END;
    return starts(ios, 1);
}

static struct input *back(struct input *in, int c)
{
    struct ios *ios = ios_of(in);
    if (!goes_back(in, ios))
        return in;
    struct buffer *b = ios->buffer;
    int has_it = b->get_begin < b->get_next && (c == EOF || (unsigned char)b->get_next[-1] == c);
    if (has_it)
        b->get_next--;
    else if (CALL(b, int (*)(struct buffer *, int), PUT_BACK_FAILED)(b, c) == EOF)
        set_state(ios, BAD);
    return in;
}

WEAK struct input *_ZNSi5ungetEv(struct input *in) { return back(in, EOF); }
WEAK struct input *_ZNSi7putbackEc(struct input *in, char c) { return back(in, (unsigned char)c); }

WEAK struct position _ZNSi5tellgEv(struct input *in)
{
    struct ios *ios = ios_of(in);
    if (!starts(ios, 1))
        return (struct position){.offset = -1};
    return seek_by(ios->buffer, 0, 1);
}

WEAK struct input *_ZNSi5seekgESt4fposI11__mbstate_tE(struct input *in, struct position to)
{
    struct ios *ios = ios_of(in);
    ptrdiff_t count = in->count;
    if (goes_back(in, ios) && seek_to(ios->buffer, to).offset == -1)
        set_state(ios, FAIL);
    in->count = count;
    return in;
}

WEAK struct input *_ZNSi5seekgElSt12_Ios_Seekdir(struct input *in, long offset, int from)
{
    struct ios *ios = ios_of(in);
    ptrdiff_t count = in->count;
    if (goes_back(in, ios) && seek_by(ios->buffer, offset, from).offset == -1)
        set_state(ios, FAIL);
    in->count = count;
    return in;
}
