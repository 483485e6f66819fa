/* std::stringbuf, and the tables of std::istringstream, std::ostringstream and std::stringstream. See iostreams.h.
 *
 * The text is in the buffer's std::string, and beyond its length as far as it has room; `str` and the constructors are
 * those of the headers.
 */
#include "streamtables.h"

#if SIZE_MAX == UINT64_MAX

struct text_buffer {
    struct buffer base;
    unsigned mode;
    struct text text;
};
_Static_assert(sizeof(struct text_buffer) == 104, "the layout of libstdc++");

static void set_get(struct buffer *b, char *begin, char *next, char *end)
{
    b->get_begin = begin;
    b->get_next = next;
    b->get_end = end;
}

static void set_put(struct buffer *b, char *begin, char *end, ptrdiff_t offset)
{
    b->put_begin = begin;
    b->put_next = begin + offset;
    b->put_end = end;
}

WEAK void _ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE8_M_pbumpEPcS5_l(struct buffer *b, char *begin,
                                                                                   char *end, ptrdiff_t offset)
{
    set_put(b, begin, end, offset);
}

/* Makes the areas for reading and writing those of the string. */
static void adopt(struct text_buffer *b, char *begin, size_t read, size_t written)
{
    if (begin != b->text.data)
        __selvedge_unsupported("a string stream over memory of the program (pubsetbuf)");
    char *end = begin + b->text.length;
    if (b->mode & IN)
        set_get(&b->base, begin, begin + read, end);
    if (b->mode & OUT) {
        set_put(&b->base, begin, begin + text_capacity(&b->text), (ptrdiff_t)written);
        if (!(b->mode & IN))
            set_get(&b->base, end, end, end);
    }
}

WEAK void _ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE7_M_syncEPcmm(struct text_buffer *b, char *begin,
                                                                                size_t read, size_t written)
{
    adopt(b, begin, read, written);
}

/* What was written can be read. */
static void show_written(struct text_buffer *buffer)
{
    struct buffer *b = &buffer->base;
    if (!b->put_next || (b->get_end && b->put_next <= b->get_end))
        return;
    if (buffer->mode & IN)
        set_get(b, b->get_begin, b->get_next, b->put_next);
    else
        set_get(b, b->put_next, b->put_next, b->put_next);
}

static int text_underflow(struct text_buffer *buffer)
{
    struct buffer *b = &buffer->base;
    if (!(buffer->mode & IN))
        return EOF;
    show_written(buffer);
    return b->get_next < b->get_end ? (unsigned char)*b->get_next : EOF;
}

static int text_put_back(struct text_buffer *buffer, int c)
{
    struct buffer *b = &buffer->base;
    if (b->get_begin >= b->get_next)
        return EOF;
    if (c != EOF && (unsigned char)b->get_next[-1] != c) {
        if (!(buffer->mode & OUT))
            return EOF;
        b->get_next[-1] = (char)c;
    }
    b->get_next--;
    return c == EOF ? 0 : c;
}

static int text_overflow(struct text_buffer *buffer, int c)
{
    struct buffer *b = &buffer->base;
    if (!(buffer->mode & OUT))
        return EOF;
    if (c == EOF)
        return 0;
    if (b->put_next >= b->put_end) {
        size_t read = (size_t)(b->get_next - b->get_begin), written = (size_t)(b->put_next - b->put_begin);
        size_t capacity = text_capacity(&buffer->text);
        if (written == capacity)
            text_grow(&buffer->text, written, 2 * capacity > 512 ? 2 * capacity : 512);
        buffer->text.length = written + 1;
        buffer->text.data[written + 1] = 0;
        buffer->text.data[written] = (char)c;
        adopt(buffer, buffer->text.data, read, written);
    }
    *b->put_next++ = (char)c;
    return c;
}

static const struct position nowhere = {.offset = -1};

static struct position text_seek_by(struct text_buffer *buffer, long offset, int from, unsigned mode)
{
    struct buffer *b = &buffer->base;
    unsigned ways = mode & buffer->mode & (IN | OUT);
    int both = ways == (IN | OUT) && from != 1;
    int in = (ways & IN) && !(mode & OUT), out = (ways & OUT) && !(mode & IN);
    char *begin = in ? b->get_begin : b->put_begin;
    struct position result = nowhere;
    if ((!begin && offset) || !(in || out || both))
        return result;
    show_written(buffer);
    long to_read = offset, to_write = offset;
    if (from == 1) {
        to_read += b->get_next - begin;
        to_write += b->put_next - begin;
    } else if (from == 2) {
        to_read += b->get_end - begin;
        to_write = to_read;
    }
    if ((in || both) && to_read >= 0 && to_read <= b->get_end - begin) {
        b->get_next = b->get_begin + to_read;
        result.offset = to_read;
    }
    if ((out || both) && to_write >= 0 && to_write <= b->get_end - begin) {
        b->put_next = b->put_begin + to_write;
        result.offset = to_write;
    }
    return result;
}

static struct position text_seek_to(struct text_buffer *buffer, struct position to, unsigned mode)
{
    struct buffer *b = &buffer->base;
    unsigned ways = mode & buffer->mode & (IN | OUT);
    char *begin = ways & IN ? b->get_begin : b->put_begin;
    if ((!begin && to.offset) || !ways)
        return nowhere;
    show_written(buffer);
    if (to.offset < 0 || to.offset > b->get_end - begin)
        return nowhere;
    if (ways & IN)
        b->get_next = b->get_begin + to.offset;
    if (ways & OUT)
        b->put_next = b->put_begin + to.offset;
    return to;
}

static ptrdiff_t text_show_many(struct text_buffer *buffer)
{
    if (!(buffer->mode & IN))
        return -1;
    show_written(buffer);
    return buffer->base.get_end - buffer->base.get_next;
}

static void release(struct text_buffer *buffer) { text_release(&buffer->text); }
static void release_and_delete(struct text_buffer *buffer)
{
    release(buffer);
    _ZdlPv(buffer);
}

WEAK const entry _ZTVNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEEE[16] = {
    NULL, TYPE, ENTRY(release), ENTRY(release_and_delete), NONE, NONE, ENTRY(text_seek_by), ENTRY(text_seek_to),
    ENTRY(__selvedge_no_sync), ENTRY(text_show_many), ENTRY(__selvedge_buffer_get), ENTRY(text_underflow),
    ENTRY(__selvedge_buffer_next), ENTRY(text_put_back), ENTRY(__selvedge_buffer_put), ENTRY(text_overflow)};

DESTRUCTORS(in, 16, release)
DESTRUCTORS(out, 8, release)
DESTRUCTORS(both, 24, release)

ONE_WAY(_ZTVNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEE,
        _ZTTNSt7__cxx1119basic_istringstreamIcSt11char_traitsIcESaIcEEE, 120, in_destroy, in_delete)
ONE_WAY(_ZTVNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEE,
        _ZTTNSt7__cxx1119basic_ostringstreamIcSt11char_traitsIcESaIcEEE, 112, out_destroy, out_delete)
BOTH_WAYS(_ZTVNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEE,
          _ZTTNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEE, 128, both_destroy, both_delete)

#endif
