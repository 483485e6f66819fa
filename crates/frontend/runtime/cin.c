/* std::cin: reads from the stream that stdio reads from, without a buffer of its own, as it does while the two are in
 * step. A program that takes them out of step and uses both could miss what this one has read ahead; the path then notes
 * `world.stdio-unbuffered`.
 */
#include "iostreams.h"

#include "streams.h"

static int get(struct file_buffer *buffer)
{
    struct stream *s = stream_of(buffer->file);
    enter_world();
    int is_apart = s->is_apart;
    if (is_apart)
        s->is_cin = 1;
    int c = __selvedge_get(s);
    if (is_apart)
        s->is_cin = 0;
    leave_world();
    return c;
}

static int underflow_(struct file_buffer *buffer)
{
    int c = get(buffer);
    return c == EOF ? EOF : __selvedge_ungetc(c, buffer->file);
}

/* The last character, which `unget` gives back. */
static int last = EOF;

static int uflow(struct file_buffer *buffer) { return last = get(buffer); }

static int put_back(struct file_buffer *buffer, int c)
{
    int back = c == EOF ? last : c;
    last = EOF;
    return back == EOF ? EOF : __selvedge_ungetc(back, buffer->file);
}

static const entry table[16] = {
    NULL, TYPE, NONE, NONE, NONE, NONE, NONE, NONE, ENTRY(__selvedge_no_sync), NONE,
    ENTRY(__selvedge_buffer_get), ENTRY(underflow_), ENTRY(uflow), ENTRY(put_back), NONE, NONE};

static struct file_buffer standard = STANDARD_BUFFER(table + 2, __selvedge_stdin_file);

struct standard_input {
    struct input input;
    struct ios ios;
};

static const long distance[5] = {offsetof(struct standard_input, ios)};

extern char _ZSt4cout;

WEAK struct standard_input _ZSt3cin = {{distance + 3, 0}, STANDARD_IOS(&standard.base, SKIPWS | DEC, &_ZSt4cout)};
