/* Streams over memory: fmemopen and open_memstream. See streams.h. */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

struct stream *__selvedge_new_stream(int descriptor, int flags, struct memory *memory);

/* fmemopen. */
struct fixed {
    struct memory memory;
    unsigned char *data;
    size_t room, size, at;
    int appends, owns, is_binary;
};

static ssize_t fixed_read(struct memory *memory, unsigned char *to, size_t size)
{
    struct fixed *f = (struct fixed *)memory;
    size_t n = 0;
    for (; n < size && f->at < f->size; n++)
        to[n] = f->data[f->at++];
    return (ssize_t)n;
}

/* A zero follows what was written, where there is room. */
static ssize_t fixed_write(struct memory *memory, const unsigned char *from, size_t size)
{
    struct fixed *f = (struct fixed *)memory;
    if (f->appends)
        f->at = f->size;
    size_t n = f->room - f->at < size ? f->room - f->at : size;
    if (n == 0)
        return -ENOSPC;
    memcpy(f->data + f->at, from, n);
    f->at += n;
    if (f->at > f->size) {
        f->size = f->at;
        if (f->size < f->room && !f->is_binary)
            f->data[f->size] = 0;
    }
    return (ssize_t)n;
}

static long long position(long long offset, int whence, size_t at, size_t size)
{
    long long base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? (long long)at : (long long)size;
    if (whence != SEEK_SET && whence != SEEK_CUR && whence != SEEK_END)
        return -EINVAL;
    long long to;
    if (__builtin_add_overflow(base, offset, &to) || to < 0)
        return -EINVAL;
    return to;
}

static long long fixed_seek(struct memory *memory, long long offset, int whence)
{
    struct fixed *f = (struct fixed *)memory;
    long long to = position(offset, whence, f->at, f->size);
    if (to < 0)
        return to;
    if (to > (long long)f->room)
        return -EINVAL;
    f->at = (size_t)to;
    return to;
}

static void fixed_release(struct memory *memory)
{
    struct fixed *f = (struct fixed *)memory;
    if (f->owns)
        free(f->data);
    free(f);
}

WEAK FILE *fmemopen(void *restrict buf, size_t size, const char *restrict mode)
{
    __selvedge_output_moves();
    int can_update = 0, is_binary = 0;
    for (const char *c = mode + (*mode != 0); *c; c++) {
        can_update |= *c == '+';
        is_binary |= *c == 'b';
    }
    if (*mode != 'r' && *mode != 'w' && *mode != 'a') {
        errno = EINVAL;
        return NULL;
    }
    struct fixed *f = malloc(sizeof *f);
    unsigned char *data = f && !buf ? calloc(1, size ? size : 1) : buf;
    if (!f || !data) {
        free(f);
        return NULL;
    }
    *f = (struct fixed){
        .memory = {.read = fixed_read, .write = fixed_write, .seek = fixed_seek, .release = fixed_release, .is_the_programs = 1},
        .data = data,
        .room = size,
        .appends = *mode == 'a',
        .owns = !buf,
        .is_binary = is_binary,
    };
    size_t length = 0;
    if (*mode == 'a') {
        while (length < size && data[length])
            length++;
        f->at = f->size = length;
    } else if (*mode == 'r') {
        f->size = size;
    } else if (size > 0) {
        data[0] = 0;
    }
    int flags = can_update ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    struct stream *s = __selvedge_new_stream(-1, flags, &f->memory);
    if (!s)
        fixed_release(&f->memory);
    return (FILE *)s;
}

/* open_memstream: the block grows, and the program's variables say where and how large it is after each flush, not
 * before and not after a seek. */
struct growing {
    struct memory memory;
    char **text;
    size_t *length;
    char *data; /* always with a zero behind the end */
    size_t room, size, at;
};

static void growing_flush(struct memory *memory)
{
    struct growing *g = (struct growing *)memory;
    *g->text = g->data;
    *g->length = g->at < g->size ? g->at : g->size;
}

static int reserve(struct growing *g, size_t size)
{
    if (size + 1 <= g->room)
        return 0;
    size_t room = g->room;
    while (room < size + 1)
        room *= 2;
    char *data = realloc(g->data, room);
    if (!data)
        return -ENOMEM;
    memset(data + g->room, 0, room - g->room);
    g->data = data;
    g->room = room;
    return 0;
}

static ssize_t growing_write(struct memory *memory, const unsigned char *from, size_t size)
{
    struct growing *g = (struct growing *)memory;
    int result = reserve(g, g->at + size);
    if (result < 0)
        return result;
    memcpy(g->data + g->at, from, size);
    g->at += size;
    if (g->at > g->size)
        g->size = g->at;
    return (ssize_t)size;
}

static long long growing_seek(struct memory *memory, long long offset, int whence)
{
    struct growing *g = (struct growing *)memory;
    /* POSIX means the end of all that was written, glibc forgets what comes after the place. */
    if (whence == SEEK_END && g->at < g->size)
        __selvedge_unsupported("seeking to the end of open_memstream after seeking back");
    long long to = position(offset, whence, g->at, g->size);
    if (to >= 0)
        g->at = (size_t)to;
    return to;
}

static void growing_release(struct memory *memory)
{
    growing_flush(memory);
    free(memory);
}

WEAK FILE *open_memstream(char **text, size_t *length)
{
    __selvedge_output_moves();
    if (!text || !length) {
        errno = EINVAL;
        return NULL;
    }
    struct growing *g = malloc(sizeof *g);
    char *data = g ? calloc(1, 64) : NULL;
    if (!data) {
        free(g);
        return NULL;
    }
    *g = (struct growing){
        .memory =
            {.write = growing_write, .seek = growing_seek, .flush = growing_flush, .release = growing_release},
        .text = text,
        .length = length,
        .data = data,
        .room = 64,
    };
    struct stream *s = __selvedge_new_stream(-1, O_WRONLY, &g->memory);
    if (!s) {
        free(data);
        free(g);
        return NULL;
    }
    return (FILE *)s;
}
