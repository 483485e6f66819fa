/* Streams of C++ into memory, as they were before std::stringstream: std::ostrstream and std::strstream, for output.
 *
 * What `str` hands out is not released by the stream unless `freeze(false)` is called.
 */
#include "iostreams.h"

#include <stdlib.h>

struct memory {
    struct buffer base;
    char is_frozen;
};

/* libstdc++ has the buffer before the std::ios, and nobody but this file looks for it. */
struct out_memory {
    const long *table;
    struct ios ios;
    struct memory memory;
};

struct both_memory {
    const long *table;
    ptrdiff_t count;
    struct out_memory out;
};

static int grow(struct memory *memory, int c)
{
    struct buffer *b = &memory->base;
    if (memory->is_frozen)
        return EOF;
    if (c == EOF)
        return 0;
    size_t used = (size_t)(b->put_next - b->put_begin), room = 2 * used + 32;
    char *more = realloc(b->put_begin, room);
    if (!more)
        return EOF;
    b->put_begin = more;
    b->put_next = more + used;
    b->put_end = more + room;
    *b->put_next++ = (char)c;
    return c;
}

static const entry table[16] = {
    NULL, TYPE, NONE, NONE, NONE, NONE, NONE, NONE, ENTRY(__selvedge_no_sync), NONE, NONE, NONE, NONE, NONE,
    ENTRY(__selvedge_buffer_put), ENTRY(grow)};

static const long out_distance[5] = {offsetof(struct out_memory, ios)};
static const long both_distance[5] = {offsetof(struct both_memory, out.ios)};

static void start(struct out_memory *out)
{
    *out = (struct out_memory){.table = out_distance + 3, .memory.base.table = table + 2};
    out->ios = (struct ios)STANDARD_IOS(&out->memory.base, SKIPWS | DEC, NULL);
}

static void end(struct out_memory *out)
{
    if (!out->memory.is_frozen)
        free(out->memory.base.put_begin);
}

static char *hand_out(struct out_memory *out)
{
    out->memory.is_frozen = 1;
    out->memory.base.put_end = out->memory.base.put_next;
    return out->memory.base.put_begin;
}

static int count(const struct out_memory *out)
{
    return (int)(out->memory.base.put_next - out->memory.base.put_begin);
}

WEAK void _ZNSt10ostrstreamC1Ev(struct out_memory *out) { start(out); }
WEAK void _ZNSt10ostrstreamD1Ev(struct out_memory *out) { end(out); }
WEAK char *_ZNSt10ostrstream3strEv(struct out_memory *out) { return hand_out(out); }
WEAK int _ZNKSt10ostrstream6pcountEv(const struct out_memory *out) { return count(out); }
WEAK void _ZNSt10ostrstream6freezeEb(struct out_memory *out, _Bool frozen) { out->memory.is_frozen = frozen; }

WEAK void _ZNSt9strstreamC1Ev(struct both_memory *stream)
{
    stream->table = both_distance + 3;
    stream->count = 0;
    start(&stream->out);
}
WEAK void _ZNSt9strstreamD1Ev(struct both_memory *stream) { end(&stream->out); }
WEAK char *_ZNSt9strstream3strEv(struct both_memory *stream) { return hand_out(&stream->out); }
WEAK int _ZNKSt9strstream6pcountEv(const struct both_memory *stream) { return count(&stream->out); }
WEAK void _ZNSt9strstream6freezeEb(struct both_memory *stream, _Bool frozen) { stream->out.memory.is_frozen = frozen; }
