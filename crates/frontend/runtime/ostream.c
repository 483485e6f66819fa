/* Output streams of C++: std::cout and std::cerr, and streams into memory (`strstream`), for text and plain numbers.
 *
 * The objects have the layout of libstdc++ as far as headers look into them: a table at the start that says where the
 * part with the format flags is, and that part. Flags, widths and precisions that a program sets are not modelled.
 * The functions have the names that the compiler gives them.
 */
#include "runtime.h"

#include <stdio.h>
#include <stdlib.h>

enum { TO_OUTPUT = 1, TO_ERROR, TO_MEMORY };

/* std::ios_base as far as headers know it, and the rest of std::ios. */
struct ios {
    const void *table;
    long precision;
    long width;
    int flags;
    int exceptions;
    int state;
    char rest[264 - 36];
};

/* An output stream, with our part after what its class has. */
struct ostream {
    const void *table;
    struct ios ios;
    int kind;
    char *text;
    size_t length;
    size_t room;
};

/* A stream for input and output: the part for output lies behind that for input. */
struct iostream {
    const void *table;
    size_t n_read;
    struct ostream out;
};

#define DEFAULT_FLAGS 0x1002

/* The entry three words before the address that an object holds is the distance to its std::ios. */
static const long tables[] = {8, 0, 0, 0, 24, 0, 0, 0};
#define OUT_TABLE (&tables[3])
#define INOUT_TABLE (&tables[7])

#define STREAM(kind_) {.table = OUT_TABLE, .ios = {.table = OUT_TABLE, .precision = 6, .flags = DEFAULT_FLAGS}, .kind = kind_}

WEAK struct ostream _ZSt4cout = STREAM(TO_OUTPUT);
WEAK struct ostream _ZSt4cerr = STREAM(TO_ERROR);
WEAK struct ostream _ZSt4clog = STREAM(TO_ERROR);

/* std::ios_base::Init: the streams are ready from the start. */
WEAK void _ZNSt8ios_base4InitC1Ev(void *init) { (void)init; }
WEAK void _ZNSt8ios_base4InitD1Ev(void *init) { (void)init; }

static struct ostream *put(struct ostream *out, const char *text, size_t length)
{
    if (out->ios.width != 0)
        __selvedge_unsupported("the width of a stream");
    switch (out->kind) {
    case TO_OUTPUT:
    case TO_ERROR:
        fwrite(text, 1, length, out->kind == TO_OUTPUT ? stdout : stderr);
        break;
    case TO_MEMORY:
        while (out->length + length > out->room) {
            out->room = 2 * out->room + 32;
            out->text = realloc(out->text, out->room);
            if (!out->text)
                __selvedge_unsupported("a stream out of memory (exceptions are not modelled)");
        }
        for (size_t i = 0; i < length; i++)
            out->text[out->length++] = text[i];
        break;
    default:
        __selvedge_unsupported("output to this kind of stream");
    }
    return out;
}

__attribute__((format(printf, 2, 3))) static struct ostream *print(struct ostream *out, const char *format, ...)
{
    if (out->ios.flags != DEFAULT_FLAGS || out->ios.precision != 6)
        __selvedge_unsupported("format flags of a stream");
    char text[400];
    va_list args;
    va_start(args, format);
    int length = __selvedge_format(text, sizeof text, format, args);
    va_end(args);
    return put(out, text, (size_t)length);
}

/* operator<< for characters and strings. */
WEAK struct ostream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc(struct ostream *out, const char *text)
{
    size_t length = 0;
    while (text[length])
        length++;
    return put(out, text, length);
}

WEAK struct ostream *_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c(struct ostream *out, char c)
{
    return put(out, &c, 1);
}

WEAK struct ostream *_ZNSo3putEc(struct ostream *out, char c) { return put(out, &c, 1); }
WEAK struct ostream *_ZNSo5writeEPKcl(struct ostream *out, const char *text, long n) { return put(out, text, (size_t)n); }
WEAK struct ostream *_ZNSo5flushEv(struct ostream *out) { return out; }

WEAK struct ostream *_ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l(
    struct ostream *out, const char *text, long length)
{
    return put(out, text, (size_t)length);
}

/* std::endl, std::flush, and applying such a function. */
WEAK struct ostream *_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(struct ostream *out)
{
    return put(out, "\n", 1);
}

WEAK struct ostream *_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(struct ostream *out) { return out; }
WEAK struct ostream *_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_(struct ostream *out) { return put(out, "", 1); }
WEAK struct ostream *_ZNSolsEPFRSoS_E(struct ostream *out, struct ostream *(*f)(struct ostream *)) { return f(out); }

/* operator<< for numbers and pointers. */
WEAK struct ostream *_ZNSolsEb(struct ostream *out, _Bool value) { return print(out, "%d", value); }
WEAK struct ostream *_ZNSolsEs(struct ostream *out, short value) { return print(out, "%d", value); }
WEAK struct ostream *_ZNSolsEt(struct ostream *out, unsigned short value) { return print(out, "%u", value); }
WEAK struct ostream *_ZNSolsEi(struct ostream *out, int value) { return print(out, "%d", value); }
WEAK struct ostream *_ZNSolsEj(struct ostream *out, unsigned value) { return print(out, "%u", value); }
WEAK struct ostream *_ZNSolsEl(struct ostream *out, long value) { return print(out, "%ld", value); }
WEAK struct ostream *_ZNSolsEm(struct ostream *out, unsigned long value) { return print(out, "%lu", value); }
WEAK struct ostream *_ZNSolsEx(struct ostream *out, long long value) { return print(out, "%lld", value); }
WEAK struct ostream *_ZNSolsEy(struct ostream *out, unsigned long long value) { return print(out, "%llu", value); }
WEAK struct ostream *_ZNSolsEd(struct ostream *out, double value) { return print(out, "%g", value); }
WEAK struct ostream *_ZNSolsEf(struct ostream *out, float value) { return print(out, "%g", (double)value); }
WEAK struct ostream *_ZNSolsEPKv(struct ostream *out, const void *value)
{
    return value ? print(out, "%p", value) : print(out, "0");
}

/* std::ostrstream and std::strstream. What str() hands out is not released by the stream unless freeze(false) is called. */
static void start(struct ostream *out)
{
    *out = (struct ostream)STREAM(TO_MEMORY);
}

static char *hand_out(struct ostream *out)
{
    out->kind = 0;
    return out->text;
}

WEAK void _ZNSt10ostrstreamC1Ev(struct ostream *out) { start(out); }
WEAK void _ZNSt10ostrstreamD1Ev(struct ostream *out)
{
    if (out->kind == TO_MEMORY)
        free(out->text);
}
WEAK char *_ZNSt10ostrstream3strEv(struct ostream *out) { return hand_out(out); }
WEAK int _ZNKSt10ostrstream6pcountEv(const struct ostream *out) { return (int)out->length; }
WEAK void _ZNSt10ostrstream6freezeEb(struct ostream *out, _Bool frozen) { out->kind = frozen ? 0 : TO_MEMORY; }

WEAK void _ZNSt9strstreamC1Ev(struct iostream *stream)
{
    stream->table = INOUT_TABLE;
    stream->n_read = 0;
    start(&stream->out);
}
WEAK void _ZNSt9strstreamD1Ev(struct iostream *stream)
{
    if (stream->out.kind == TO_MEMORY)
        free(stream->out.text);
}
WEAK char *_ZNSt9strstream3strEv(struct iostream *stream) { return hand_out(&stream->out); }
WEAK int _ZNKSt9strstream6pcountEv(const struct iostream *stream) { return (int)stream->out.length; }
WEAK void _ZNSt9strstream6freezeEb(struct iostream *stream, _Bool frozen) { stream->out.kind = frozen ? 0 : TO_MEMORY; }
