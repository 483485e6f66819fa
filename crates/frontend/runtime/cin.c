/* std::cin: reads from the stream that stdio reads from, without a buffer of its own, as it does while the two are in
 * step. A program that takes them out of step and uses both sees more than a real one would be sure of.
 */
#include "iostreams.h"

#include "streams.h"

static int underflow_(struct file_buffer *buffer)
{
    int c = __selvedge_getc(buffer->file);
    return c == EOF ? EOF : __selvedge_ungetc(c, buffer->file);
}

/* The last character, which `unget` gives back. */
static int last = EOF;

static int uflow(struct file_buffer *buffer) { return last = __selvedge_getc(buffer->file); }

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
