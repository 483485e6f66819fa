/* Reading from streams, and their marks of end and failure. See streams.h. */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

static int fail(struct stream *s, int error)
{
    s->failed = 1;
    errno = error;
    return EOF;
}

/* Reads at least one byte, unless the end is reached or it fails. */
static ssize_t fill(struct stream *s, unsigned char *to, size_t size)
{
    if (s->memory) {
        __selvedge_before_use(s, NULL, READS);
        return s->memory->read ? s->memory->read(s->memory, to, size) : -EBADF;
    }
    for (;;) {
        struct description *file = description_of(s->descriptor);
        __selvedge_before_use(s, file, READS);
        int cut = file ? __selvedge_slow(file) : -EBADF;
        if (cut < 0)
            return cut;
        __selvedge_after_use(s, file, READS);
        ssize_t got = __selvedge_read(file, to, size, NULL);
        if (got != WOULD_WAIT || (file->flags & O_NONBLOCK) || !file->kind->wait_to_read)
            return got;
        leave_world();
        int error = file->kind->wait_to_read(file, 1);
        enter_world();
        if (error < 0)
            return error;
    }
}

/* Who reads a stream that another one has read ahead of may miss bytes. */
static void note_reader(struct stream *s)
{
    unsigned char who = s->is_cin ? 1 : 2;
    if (s->readers & ~who)
        __selvedge_assumed("world.stdio-unbuffered");
    s->readers |= who;
}

WEAK int __selvedge_get(struct stream *s)
{
    if (s->is_apart)
        note_reader(s);
    if (s->n_pushed > 0)
        return s->pushed[--s->n_pushed];
    if (!s->can_read)
        return fail(s, EBADF);
    if (s->at_end)
        return EOF;
    unsigned char byte;
    ssize_t got = fill(s, &byte, 1);
    if (got < 0)
        return fail(s, (int)-got);
    if (got == 0) {
        s->at_end = 1;
        return EOF;
    }
    return byte;
}

static int get(FILE *file)
{
    enter_world();
    int c = __selvedge_get(stream_of(file));
    leave_world();
    return c;
}

WEAK int __selvedge_getc(void *file) { return get(file); }

WEAK int __selvedge_is_readable(void *file)
{
    enter_world();
    int result = stream_of(file)->can_read;
    leave_world();
    return result;
}

WEAK int __selvedge_ungetc(int byte, void *file)
{
    struct stream *s = stream_of(file);
    enter_world();
    int result = EOF;
    if (byte != EOF && s->n_pushed < MAX_PUSHED && s->can_read) {
        s->pushed[s->n_pushed++] = (unsigned char)byte;
        s->at_end = 0;
        result = (unsigned char)byte;
    }
    leave_world();
    return result;
}

WEAK int fgetc(FILE *file) { return get(file); }
WEAK int getc(FILE *file) { return get(file); }
WEAK int _IO_getc(FILE *file) { return get(file); }
WEAK int getchar(void) { return get(stdin); }
WEAK int fgetc_unlocked(FILE *file) { return get(file); }
WEAK int getc_unlocked(FILE *file) { return get(file); }
WEAK int getchar_unlocked(void) { return get(stdin); }
WEAK int ungetc(int c, FILE *file) { return __selvedge_ungetc(c, file); }

/* Only a failure of this call spoils what was read. */
static char *get_line(char *buf, int size, FILE *file)
{
    if (size <= 0)
        return NULL;
    __selvedge_must_fit(buf, (size_t)size);
    int n = 0;
    enter_world();
    struct stream *s = stream_of(file);
    unsigned char before = s->failed;
    s->failed = 0;
    while (n < size - 1) {
        int c = __selvedge_get(s);
        if (c == EOF)
            break;
        buf[n++] = (char)c;
        if (c == '\n')
            break;
    }
    int failed = s->failed;
    s->failed |= before;
    leave_world();
    if (size > 1 && (n == 0 || failed))
        return NULL;
    buf[n] = 0;
    return buf;
}

WEAK char *fgets(char *buf, int size, FILE *file) { return get_line(buf, size, file); }
WEAK char *fgets_unlocked(char *buf, int size, FILE *file) { return get_line(buf, size, file); }

/* With _FORTIFY_SOURCE: `room` is what the compiler knows of the buffer. */
static void need(size_t size, size_t room)
{
    if (size > room)
        abort();
}

static char *get_line_into(char *buf, size_t room, int size, FILE *file)
{
    if (size > 0)
        need((size_t)size, room);
    return get_line(buf, size, file);
}

WEAK char *__fgets_chk(char *buf, size_t room, int size, FILE *file) { return get_line_into(buf, room, size, file); }
WEAK char *__fgets_unlocked_chk(char *buf, size_t room, int size, FILE *file)
{
    return get_line_into(buf, room, size, file);
}

/* Longer input than this is not tried: it costs a step for each byte. */
#define MOST_TO_FILL 4096

/* Then what was read is a text, which tools that look at its length do not take for a shorter one. */
WEAK int __selvedge_goes_on(void *file, const char *buf, size_t used)
{
    struct stream *s = stream_of(file);
    if (s->memory || description_of(s->descriptor) != &__selvedge_console[0])
        return 0;
    if (__selvedge_room(buf + used) > MOST_TO_FILL)
        return 0;
    enter_world();
    int goes_on = __selvedge_stdin_goes_on();
    s->at_end &= !goes_on;
    leave_world();
    for (size_t i = 0; goes_on && i < used; i++)
        __VERIFIER_assume(buf[i] != 0);
    return goes_on;
}

/* Removed from C, still called: it writes as much as there is on the line. */
WEAK char *gets(char *buf)
{
    size_t n = 0;
    int goes_on = 0;
    for (;;) {
        int c = get(stdin);
        if (c == EOF && (goes_on = __selvedge_goes_on(stdin, buf, n)))
            c = get(stdin);
        if (goes_on)
            __VERIFIER_assume((c != '\n') & (c != 0));
        if (c == EOF && n == 0)
            return NULL;
        if (c == EOF || c == '\n')
            break;
        buf[n++] = (char)c;
    }
    buf[n] = 0;
    return buf;
}

static ssize_t get_delimited(char **line, size_t *size, int delimiter, FILE *file)
{
    if (!line || !size) {
        errno = EINVAL;
        return -1;
    }
    /* glibc does not read on after a failure, whatever call failed. */
    if (stream_of(file)->failed)
        return -1;
    if (*line)
        __selvedge_must_fit(*line, *size);
    size_t n = 0;
    for (;;) {
        int c = get(file);
        if (!*line || n + 2 > *size) {
            size_t room = *line && *size ? *size * 2 : 120;
            char *more = realloc(*line, room);
            if (!more)
                return -1;
            *line = more;
            *size = room;
        }
        if (c == EOF && n == 0)
            return -1;
        if (c == EOF)
            break;
        (*line)[n++] = (char)c;
        if (c == delimiter)
            break;
    }
    (*line)[n] = 0;
    return (ssize_t)n;
}

WEAK ssize_t getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return get_delimited(line, size, delimiter, file);
}

/* What glibc's headers make of `getline` in optimised programs. */
WEAK ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return get_delimited(line, size, delimiter, file);
}

WEAK ssize_t getline(char **line, size_t *size, FILE *file) { return get_delimited(line, size, '\n', file); }

/* A regular file can be read in one go: it does not give less than it has. */
static int is_regular(const struct stream *s)
{
    struct description *file = description_of(s->descriptor);
    return !s->memory && file && file->node && IS(file->node, S_IFREG);
}

static size_t read_all(struct stream *s, unsigned char *to, size_t size)
{
    size_t got = 0;
    if (s->can_read && is_regular(s)) {
        while (s->n_pushed > 0 && got < size)
            to[got++] = s->pushed[--s->n_pushed];
        if (got < size && !s->at_end) {
            ssize_t more = fill(s, to + got, size - got);
            got += more > 0 ? (size_t)more : 0;
            if (more < 0)
                fail(s, (int)-more);
            else
                s->at_end = got < size;
        }
        return got;
    }
    for (; got < size; got++) {
        int c = __selvedge_get(s);
        if (c == EOF)
            break;
        to[got] = (unsigned char)c;
    }
    return got;
}

static size_t read_objects(void *buf, size_t size, size_t n, FILE *file)
{
    size_t total = size * n;
    if (total == 0)
        return 0;
    __selvedge_must_fit(buf, total);
    enter_world();
    size_t got = read_all(stream_of(file), buf, total);
    leave_world();
    return got / size;
}

WEAK size_t fread(void *buf, size_t size, size_t n, FILE *file) { return read_objects(buf, size, n, file); }
WEAK size_t fread_unlocked(void *buf, size_t size, size_t n, FILE *file) { return read_objects(buf, size, n, file); }

static size_t read_objects_into(void *buf, size_t room, size_t size, size_t n, FILE *file)
{
    size_t total;
    need(__builtin_mul_overflow(size, n, &total) ? SIZE_MAX : total, room);
    return read_objects(buf, size, n, file);
}

WEAK size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *file)
{
    return read_objects_into(buf, room, size, n, file);
}
WEAK size_t __fread_unlocked_chk(void *buf, size_t room, size_t size, size_t n, FILE *file)
{
    return read_objects_into(buf, room, size, n, file);
}

WEAK int feof(FILE *file) { return stream_of(file)->at_end; }
WEAK int feof_unlocked(FILE *file) { return stream_of(file)->at_end; }

static int number_of(FILE *file)
{
    int number = stream_of(file)->descriptor;
    if (number < 0)
        errno = EBADF;
    return number;
}

WEAK int fileno(FILE *file) { return number_of(file); }
WEAK int fileno_unlocked(FILE *file) { return number_of(file); }

WEAK void clearerr(FILE *file)
{
    stream_of(file)->at_end = 0;
    stream_of(file)->failed = 0;
}
