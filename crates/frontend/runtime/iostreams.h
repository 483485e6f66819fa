/* The streams of C++ as libstdc++ lays them out, for the units that model its compiled part.
 *
 * The inline functions of its headers run as they are, so objects, tables of virtual functions and the tables that
 * constructors use have exactly its layout; only what the headers leave to the compiled library is here. Buffers of the
 * program's own classes work too, as they are only used through their virtual functions.
 *
 * There is one locale, and it is C's: the word of a std::locale only says whether a stream buffer leads to a `FILE`.
 */
#ifndef SELVEDGE_IOSTREAMS_H
#define SELVEDGE_IOSTREAMS_H

#include "runtime.h"

#include <pthread.h>
#include <stdio.h>

/* std::ios_base::iostate */
enum { BAD = 1, AT_END = 2, FAIL = 4 };

/* std::ios_base::openmode */
enum { APPEND = 1, AT_THE_END = 2, BINARY = 4, IN = 8, OUT = 16, TRUNCATE = 32 };

/* std::ios_base::fmtflags */
enum {
    BOOLALPHA = 1, DEC = 2, FIXED = 4, HEX = 8, INTERNAL = 16, LEFT = 32, OCT = 64, SCIENTIFIC = 256, SHOWBASE = 512,
    SHOWPOINT = 1024, SHOWPOS = 2048, SKIPWS = 4096, UNITBUF = 8192, UPPERCASE = 16384
};

/* What can be called through a buffer's table. */
struct buffer;
typedef void (*entry)(void);
enum { SEEK_BY = 4, SEEK_TO, SYNC, SHOW_MANY, GET_SEVERAL, UNDERFLOW_, UFLOW, PUT_BACK_FAILED, PUT_SEVERAL, OVERFLOW_ };

/* std::streambuf */
struct buffer {
    const entry *table;
    char *get_begin, *get_next, *get_end;
    char *put_begin, *put_next, *put_end;
    const void *locale;
};

/* std::filebuf as far as headers look into it, and the buffers of std::cin and its siblings. */
struct file_buffer {
    struct buffer base;
    pthread_mutex_t lock;
    FILE *file;
    char is_ours;
    int mode;
};

/* std::string */
struct text {
    char *data;
    size_t length;
    union {
        char local[16];
        size_t capacity;
    };
};

/* std::fpos: a position. */
struct position {
    long long offset;
    struct {
        int count;
        unsigned value;
    } state;
};

/* std::ios */
struct ios {
    const entry *table;
    ptrdiff_t precision;
    ptrdiff_t width;
    unsigned flags;
    unsigned exceptions;
    unsigned state;
    void *callbacks;
    struct {
        void *pointer;
        long number;
    } word_zero, local_words[8];
    int n_words;
    void *words;
    const void *locale;
    void *tie;
    char fill, has_fill;
    struct buffer *buffer;
    const void *characters, *put_numbers, *get_numbers; /* facets */
};
#if SIZE_MAX == UINT64_MAX
_Static_assert(sizeof(struct ios) == 264 && offsetof(struct file_buffer, file) == 104, "the layout of libstdc++");
#endif

/* The start of every stream, and of std::istream. */
struct stream_object {
    const long *table;
};
struct input {
    const long *table;
    ptrdiff_t count; /* what gcount tells */
};

/* Marks a buffer that leads to a `FILE`. */
extern const char __selvedge_leads_to_file;
/* std::ctype<char> */
extern const struct characters __selvedge_characters;

/* The streams that are there from the start. */
#define STANDARD_BUFFER(table_, file_)                                                                                 \
    {.base = {.table = table_, .locale = &__selvedge_leads_to_file}, .file = (FILE *)&file_}
#define STANDARD_IOS(buffer_, flags_, tie_)                                                                            \
    {.table = __selvedge_ios_table + 2, .precision = 6, .flags = flags_, .n_words = 8, .tie = tie_, .fill = ' ',       \
     .has_fill = 1, .buffer = buffer_, .characters = &__selvedge_characters}

extern const entry __selvedge_ios_table[4];

/* What tables say the type of an object is. It is defined nowhere: `dynamic_cast` and `typeid` end with its name. */
extern const char __selvedge_type_of_a_stream;
#define TYPE ((entry)(uintptr_t)&__selvedge_type_of_a_stream)

/* Entries of tables. What is not modelled says so when it is called. */
void __selvedge_cannot_be_called(void);
#define NONE __selvedge_cannot_be_called

/* What std::streambuf itself does. */
ptrdiff_t __selvedge_buffer_put(struct buffer *buffer, const char *from, ptrdiff_t size);
ptrdiff_t __selvedge_buffer_get(struct buffer *buffer, char *to, ptrdiff_t size);
int __selvedge_buffer_next(struct buffer *buffer);
struct position __selvedge_no_seek_by(struct buffer *buffer, long long offset, int from, int mode);
struct position __selvedge_no_seek_to(struct buffer *buffer, struct position to, int mode);
int __selvedge_no_sync(struct buffer *buffer);
int __selvedge_no_input(struct buffer *buffer);
int __selvedge_no_put_back(struct buffer *buffer, int c);

#define ENTRY(function) ((entry)(function))

/* The std::ios of a stream: the table says where. */
static inline struct ios *ios_of(const void *stream)
{
    return (struct ios *)((char *)stream + ((const struct stream_object *)stream)->table[-3]);
}

static inline void set_state(struct ios *ios, unsigned bits)
{
    if (!bits)
        return;
    if ((ios->state | bits) != ios->state)
        ios->state |= bits;
    if (ios->exceptions & ios->state)
        __selvedge_unsupported("an exception of a stream (std::ios_base::failure)");
}

/* Threads may share a stream of the program's console, so nothing is written that is there already. */
static inline void forget_width(struct ios *ios)
{
    if (ios->width)
        ios->width = 0;
}

#define CALL(buffer, type, slot) ((type)(buffer)->table[slot])

/* The character that comes next, or EOF; and moving on. */
static inline int look(struct buffer *buffer)
{
    return buffer->get_next < buffer->get_end ? (unsigned char)*buffer->get_next
                                              : CALL(buffer, int (*)(struct buffer *), UNDERFLOW_)(buffer);
}
static inline int take(struct buffer *buffer)
{
    return buffer->get_next < buffer->get_end ? (unsigned char)*buffer->get_next++
                                              : CALL(buffer, int (*)(struct buffer *), UFLOW)(buffer);
}

static inline ptrdiff_t put_several(struct buffer *buffer, const char *from, ptrdiff_t size)
{
    return CALL(buffer, ptrdiff_t (*)(struct buffer *, const char *, ptrdiff_t), PUT_SEVERAL)(buffer, from, size);
}

#if SIZE_MAX == UINT64_MAX
#define NEW _Znwm
#else
#define NEW _Znwj
#endif
void *NEW(size_t size);
void _ZdlPv(void *block);

static inline void text_clear(struct text *text)
{
    text->length = 0;
    text->data[0] = 0;
}

static inline size_t text_capacity(const struct text *text)
{
    return text->data == text->local ? sizeof text->local - 1 : text->capacity;
}

static inline void text_release(struct text *text)
{
    if (text->data != text->local)
        _ZdlPv(text->data);
}

/* Moves to a block for more; the bytes up to `n` are kept. */
static inline void text_grow(struct text *text, size_t n, size_t capacity)
{
    char *data = NEW(capacity + 1);
    for (size_t i = 0; i < n; i++)
        data[i] = text->data[i];
    text_release(text);
    text->data = data;
    text->capacity = capacity;
}

static inline void text_append(struct text *text, char c)
{
    if (text->length == text_capacity(text))
        text_grow(text, text->length, 2 * text->length);
    text->data[text->length++] = c;
    text->data[text->length] = 0;
}

#endif
