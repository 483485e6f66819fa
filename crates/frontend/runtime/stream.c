/* Streams: standard input, and the three stream objects.
 *
 * Standard input is the engine's sequence of bytes (none unless the user asks for some). There are no files: fopen
 * fails with ENOENT, so a stream is always one of the three below. Output is the engine's; it knows a stream by the
 * object that the pointer leads to.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How many bytes can be put back: one from scanf, and some from the program, which may rely on one only. */
#define MAX_PUSHED 8

struct stream {
    int descriptor;
    int at_end;
    int failed;
    int n_pushed;
    unsigned char pushed[MAX_PUSHED];
};

WEAK struct stream __selvedge_stdin_file = {.descriptor = 0};
WEAK struct stream __selvedge_stdout_file = {.descriptor = 1};
WEAK struct stream __selvedge_stderr_file = {.descriptor = 2};

WEAK FILE *stdin = (FILE *)&__selvedge_stdin_file;
WEAK FILE *stdout = (FILE *)&__selvedge_stdout_file;
WEAK FILE *stderr = (FILE *)&__selvedge_stderr_file;

static struct stream *stream_of(FILE *file) { return (struct stream *)file; }

static int get(FILE *file)
{
    struct stream *s = stream_of(file);
    if (s->n_pushed > 0)
        return s->pushed[--s->n_pushed];
    if (s->descriptor != 0) {
        s->failed = 1;
        errno = EBADF;
        return EOF;
    }
    if (s->at_end)
        return EOF;
    int c = __selvedge_stdin();
    if (c < 0) {
        s->at_end = 1;
        return EOF;
    }
    return c;
}

WEAK int __selvedge_getc(void *file) { return get(file); }

WEAK int __selvedge_ungetc(int byte, void *file)
{
    struct stream *s = stream_of(file);
    if (byte == EOF || s->n_pushed == MAX_PUSHED)
        return EOF;
    s->pushed[s->n_pushed++] = (unsigned char)byte;
    s->at_end = 0;
    return (unsigned char)byte;
}

WEAK int fgetc(FILE *file) { return get(file); }
WEAK int getc(FILE *file) { return get(file); }
WEAK int _IO_getc(FILE *file) { return get(file); }
WEAK int getchar(void) { return get(stdin); }
WEAK int fgetc_unlocked(FILE *file) { return get(file); }
WEAK int getc_unlocked(FILE *file) { return get(file); }
WEAK int getchar_unlocked(void) { return get(stdin); }
WEAK int ungetc(int c, FILE *file) { return __selvedge_ungetc(c, file); }

WEAK char *fgets(char *buf, int size, FILE *file)
{
    if (size <= 0)
        return NULL;
    int n = 0;
    while (n < size - 1) {
        int c = get(file);
        if (c == EOF) {
            if (n == 0)
                return NULL;
            break;
        }
        buf[n++] = (char)c;
        if (c == '\n')
            break;
    }
    buf[n] = 0;
    return buf;
}

/* Removed from C, still called: it writes as much as there is on the line. */
WEAK char *gets(char *buf)
{
    size_t n = 0;
    for (;;) {
        int c = get(stdin);
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
    size_t n = 0;
    for (;;) {
        int c = get(file);
        if (c == EOF && n == 0)
            return -1;
        if (!*line || n + 2 > *size) {
            size_t room = *line && *size ? *size * 2 : 120;
            char *more = realloc(*line, room);
            if (!more)
                return -1;
            *line = more;
            *size = room;
        }
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

WEAK ssize_t getline(char **line, size_t *size, FILE *file) { return get_delimited(line, size, '\n', file); }

WEAK size_t fread(void *buf, size_t size, size_t n, FILE *file)
{
    size_t total = size * n, got = 0;
    if (total == 0)
        return 0;
    for (; got < total; got++) {
        int c = get(file);
        if (c == EOF)
            break;
        ((unsigned char *)buf)[got] = (unsigned char)c;
    }
    return got / size;
}

/* read(0, ..) gives all that was asked for if it is there; real reads may give less. */
WEAK ssize_t read(int descriptor, void *buf, size_t n)
{
    pthread_testcancel();
    if (descriptor != 0) {
        errno = EBADF;
        return -1;
    }
    size_t got = 0;
    for (; got < n; got++) {
        int c = __selvedge_stdin();
        if (c < 0)
            break;
        ((unsigned char *)buf)[got] = (unsigned char)c;
    }
    return (ssize_t)got;
}

WEAK ssize_t write(int descriptor, const void *buf, size_t n)
{
    pthread_testcancel();
    if (descriptor != 1 && descriptor != 2) {
        errno = EBADF;
        return -1;
    }
    return (ssize_t)fwrite(buf, 1, n, descriptor == 1 ? stdout : stderr);
}

WEAK int feof(FILE *file) { return stream_of(file)->at_end; }
WEAK int ferror(FILE *file) { return stream_of(file)->failed; }
WEAK int feof_unlocked(FILE *file) { return stream_of(file)->at_end; }
WEAK int ferror_unlocked(FILE *file) { return stream_of(file)->failed; }
WEAK int fileno(FILE *file) { return stream_of(file)->descriptor; }

WEAK void clearerr(FILE *file)
{
    stream_of(file)->at_end = 0;
    stream_of(file)->failed = 0;
}

static FILE *no_file(void)
{
    errno = ENOENT;
    return NULL;
}

WEAK FILE *fopen(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    return no_file();
}

WEAK FILE *fopen64(const char *path, const char *mode)
{
    (void)path;
    (void)mode;
    return no_file();
}

/* Closing one of the standard streams: what comes after is undefined, so there is nothing to remember. */
WEAK int fclose(FILE *file)
{
    (void)*(volatile char *)file; /* a null stream is an error */
    return 0;
}

WEAK int fflush(FILE *file)
{
    (void)file;
    return 0;
}

/* Buffering cannot be seen from inside the program. */
WEAK int setvbuf(FILE *file, char *buf, int mode, size_t size)
{
    (void)file;
    (void)buf;
    (void)mode;
    (void)size;
    return 0;
}

WEAK void setbuf(FILE *file, char *buf)
{
    (void)file;
    (void)buf;
}

WEAK void setbuffer(FILE *file, char *buf, size_t size)
{
    (void)file;
    (void)buf;
    (void)size;
}

WEAK void setlinebuf(FILE *file) { (void)file; }

/* The standard streams are pipes here: they have no position. */
WEAK int fseek(FILE *file, long offset, int whence)
{
    (void)file;
    (void)offset;
    (void)whence;
    errno = ESPIPE;
    return -1;
}

WEAK long ftell(FILE *file)
{
    (void)file;
    errno = ESPIPE;
    return -1;
}

WEAK void perror(const char *message)
{
    const char *text = __selvedge_error_text(errno);
    if (message && *message) {
        for (; *message; message++)
            fputc(*message, stderr);
        fputc(':', stderr);
        fputc(' ', stderr);
    }
    for (; *text; text++)
        fputc(*text, stderr);
    fputc('\n', stderr);
}
