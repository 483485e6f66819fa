/* What all streams of C++ share: std::ios, its one locale, and what std::streambuf does by itself. See iostreams.h. */
#include "iostreams.h"

#include "streams.h"

WEAK const char __selvedge_leads_to_file;

WEAK void __selvedge_cannot_be_called(void) { __selvedge_unsupported("this virtual function of a stream"); }

/* --- std::ios_base and std::ios --- */

WEAK void _ZNSt8ios_base4InitC1Ev(void *init) { (void)init; } /* the streams are ready from the start */
WEAK void _ZNSt8ios_base4InitD1Ev(void *init) { (void)init; }

/* Out of step, std::cin may read ahead: see cin.c. */
WEAK _Bool _ZNSt8ios_base15sync_with_stdioEb(_Bool wanted)
{
    enter_world();
    _Bool before = !__selvedge_stdin_file.is_apart;
    __selvedge_stdin_file.is_apart = !wanted;
    leave_world();
    return before;
}

WEAK const entry __selvedge_ios_table[4] = {NULL, TYPE, NONE, NONE};
WEAK const entry _ZTVSt9basic_iosIcSt11char_traitsIcEE[4] = {NULL, TYPE, NONE, NONE};

WEAK void _ZNSt8ios_baseC2Ev(struct ios *ios)
{
    ios->table = __selvedge_ios_table + 2;
    ios->precision = ios->width = 0;
    ios->flags = ios->exceptions = 0;
    ios->state = BAD;
    ios->callbacks = NULL;
    ios->n_words = 8;
    ios->words = ios->local_words;
    ios->locale = NULL;
}
WEAK void _ZNSt8ios_baseD2Ev(struct ios *ios) { (void)ios; }

WEAK void _ZNSt9basic_iosIcSt11char_traitsIcEE4initEPSt15basic_streambufIcS1_E(struct ios *ios, struct buffer *buffer)
{
    ios->precision = 6;
    ios->width = 0;
    ios->flags = SKIPWS | DEC;
    ios->tie = NULL;
    ios->fill = ' ';
    ios->has_fill = 1;
    ios->exceptions = 0;
    ios->buffer = buffer;
    ios->state = buffer ? 0 : BAD;
    ios->characters = &__selvedge_characters;
    ios->put_numbers = ios->get_numbers = NULL;
}

WEAK void _ZNSt9basic_iosIcSt11char_traitsIcEE5clearESt12_Ios_Iostate(struct ios *ios, unsigned state)
{
    state |= ios->buffer ? 0 : BAD;
    if (ios->state != state)
        ios->state = state;
    set_state(ios, state);
}

WEAK struct buffer *_ZNSt9basic_iosIcSt11char_traitsIcEE5rdbufEPSt15basic_streambufIcS1_E(struct ios *ios,
                                                                                          struct buffer *buffer)
{
    struct buffer *before = ios->buffer;
    ios->buffer = buffer;
    ios->state = buffer ? 0 : BAD;
    set_state(ios, ios->state);
    return before;
}

/* --- std::locale --- */

WEAK void _ZNSt6localeC1Ev(const void **locale) { *locale = NULL; }
WEAK void _ZNSt6localeC1ERKS_(const void **locale, const void *const *other)
{
    (void)other;
    *locale = NULL;
}
WEAK void _ZNSt6localeD1Ev(const void **locale) { (void)locale; }

/* std::ctype<char>: headers look up what a character is widened and narrowed to. */
struct characters {
    const entry *table;
    int references;
    void *locale;
    char owns_table;
    const int *to_upper, *to_lower;
    const unsigned short *classes;
    char is_widened;
    char widened[256], narrowed[256];
    char is_narrowed;
};

#define FOUR(n) (char)(n), (char)((n) + 1), (char)((n) + 2), (char)((n) + 3)
#define SIXTEEN(n) FOUR(n), FOUR((n) + 4), FOUR((n) + 8), FOUR((n) + 12)
#define ROW(n) SIXTEEN(n), SIXTEEN((n) + 16), SIXTEEN((n) + 32), SIXTEEN((n) + 48)
#define ALL ROW(0), ROW(64), ROW(128), ROW(192)

static const entry no_functions[14] = {NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};

WEAK const struct characters __selvedge_characters = {
    .table = no_functions, .is_widened = 1, .widened = {ALL}, .narrowed = {ALL}, .is_narrowed = 1};

/* --- std::streambuf --- */

WEAK int __selvedge_no_sync(struct buffer *buffer) { return (void)buffer, 0; }
WEAK int __selvedge_no_input(struct buffer *buffer) { return (void)buffer, EOF; }
WEAK int __selvedge_no_put_back(struct buffer *buffer, int c) { return (void)buffer, (void)c, EOF; }
WEAK struct position __selvedge_no_seek_by(struct buffer *buffer, long long offset, int from, int mode)
{
    (void)buffer, (void)offset, (void)from, (void)mode;
    return (struct position){.offset = -1};
}
WEAK struct position __selvedge_no_seek_to(struct buffer *buffer, struct position to, int mode)
{
    (void)buffer, (void)to, (void)mode;
    return (struct position){.offset = -1};
}

WEAK ptrdiff_t __selvedge_buffer_put(struct buffer *buffer, const char *from, ptrdiff_t size)
{
    for (ptrdiff_t i = 0; i < size; i++) {
        if (buffer->put_next < buffer->put_end)
            *buffer->put_next++ = from[i];
        else if (CALL(buffer, int (*)(struct buffer *, int), OVERFLOW_)(buffer, (unsigned char)from[i]) == EOF)
            return i;
    }
    return size;
}

WEAK ptrdiff_t __selvedge_buffer_get(struct buffer *buffer, char *to, ptrdiff_t size)
{
    for (ptrdiff_t i = 0; i < size; i++) {
        int c = take(buffer);
        if (c == EOF)
            return i;
        to[i] = (char)c;
    }
    return size;
}

WEAK int __selvedge_buffer_next(struct buffer *buffer)
{
    if (CALL(buffer, int (*)(struct buffer *), UNDERFLOW_)(buffer) == EOF)
        return EOF;
    return (unsigned char)*buffer->get_next++;
}

/* What a class of the program inherits if it does not define it. */
WEAK struct buffer *_ZNSt15basic_streambufIcSt11char_traitsIcEE6setbufEPcl(struct buffer *b, char *at, ptrdiff_t size)
{
    (void)at, (void)size;
    return b;
}
WEAK void _ZNSt15basic_streambufIcSt11char_traitsIcEE5imbueERKSt6locale(struct buffer *b, const void *locale)
{
    (void)b, (void)locale;
}
WEAK struct position _ZNSt15basic_streambufIcSt11char_traitsIcEE7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode(
    struct buffer *b, long offset, int from, int mode)
{
    return __selvedge_no_seek_by(b, offset, from, mode);
}
WEAK struct position _ZNSt15basic_streambufIcSt11char_traitsIcEE7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode(
    struct buffer *b, struct position to, int mode)
{
    return __selvedge_no_seek_to(b, to, mode);
}
WEAK int _ZNSt15basic_streambufIcSt11char_traitsIcEE4syncEv(struct buffer *b) { return __selvedge_no_sync(b); }
WEAK ptrdiff_t _ZNSt15basic_streambufIcSt11char_traitsIcEE9showmanycEv(struct buffer *b) { return __selvedge_no_sync(b); }
WEAK ptrdiff_t _ZNSt15basic_streambufIcSt11char_traitsIcEE6xsgetnEPcl(struct buffer *b, char *to, ptrdiff_t size)
{
    return __selvedge_buffer_get(b, to, size);
}
WEAK ptrdiff_t _ZNSt15basic_streambufIcSt11char_traitsIcEE6xsputnEPKcl(struct buffer *b, const char *from, ptrdiff_t size)
{
    return __selvedge_buffer_put(b, from, size);
}
WEAK int _ZNSt15basic_streambufIcSt11char_traitsIcEE9underflowEv(struct buffer *b) { return __selvedge_no_input(b); }
WEAK int _ZNSt15basic_streambufIcSt11char_traitsIcEE5uflowEv(struct buffer *b) { return __selvedge_buffer_next(b); }
WEAK int _ZNSt15basic_streambufIcSt11char_traitsIcEE9pbackfailEi(struct buffer *b, int c) { return __selvedge_no_put_back(b, c); }
WEAK int _ZNSt15basic_streambufIcSt11char_traitsIcEE8overflowEi(struct buffer *b, int c) { return __selvedge_no_put_back(b, c); }

WEAK const entry _ZTVSt15basic_streambufIcSt11char_traitsIcEE[16] = {
    NULL, TYPE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE};
