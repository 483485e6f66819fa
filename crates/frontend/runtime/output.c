/* Output to streams of every kind, in programs that have more than the console: see streams.h.
 *
 * Where a stream still leads to the console its output is the engine's, and stays in pieces. Without this unit it always
 * is: the functions below are offered only where something else needs the unit (`PASSIVE`).
 */
#include "streams.h"

#include <stdlib.h>
#include <string.h>

#define PASSIVE __attribute__((weak, section("selvedge.passive")))

WEAK void __selvedge_output_moves(void) {}

WEAK int __selvedge_put(struct stream *s, const unsigned char *from, size_t size)
{
    int error;
    if (!s->can_write) {
        error = -EBADF;
    } else if (s->memory) {
        __selvedge_before_use(s, NULL, WRITES);
        ssize_t put = s->memory->write ? s->memory->write(s->memory, from, size) : -EBADF;
        if (put == (ssize_t)size)
            return 1;
        error = put < 0 ? (int)put : 0;
    } else {
        for (size_t done = 0;;) {
            struct description *file = description_of(s->descriptor);
            __selvedge_before_use(s, file, WRITES);
            ssize_t put = file ? __selvedge_write(file, from + done, size - done, NULL) : -EBADF;
            if (put == WOULD_WAIT && !(file->flags & O_NONBLOCK) && file->kind->wait_to_write) {
                leave_world();
                error = file->kind->wait_to_write(file, done == 0);
                enter_world();
                if (error < 0)
                    break;
                continue;
            }
            if (put == -EPIPE && file->kind->broken) {
                leave_world();
                file->kind->broken();
                enter_world();
            }
            if (put < 0) {
                error = (int)put;
                break;
            }
            s->n_pushed = 0;
            s->at_end = 0;
            __selvedge_after_use(s, file, WRITES);
            done += (size_t)put;
            if (done == size)
                return 1;
        }
    }
    s->failed = 1;
    if (error < 0)
        errno = -error;
    return 0;
}

/* The number of the console's stream behind a stream, or 0. */
static int console_of(FILE *file)
{
    enter_world();
    struct stream *s = stream_of(file);
    int number = s->can_write && !s->memory ? console_stream(description_of(s->descriptor)) : 0;
    leave_world();
    return number;
}

/* The same, before it prints. */
static int prints_on(FILE *file)
{
    int number = console_of(file);
    struct stream *s = stream_of(file);
    if (number == 0)
        return 0;
    enter_world();
    touch_given(s);
    /* Written only once: threads that print stay independent. */
    if (!s->is_unbuffered && !s->has_printed)
        s->has_printed = 1;
    leave_world();
    return number;
}

/* What was printed and not flushed goes to whatever has the number of standard output by then. */
WEAK void __selvedge_number_moves(int number)
{
    const struct stream *s = &__selvedge_stdout_file;
    if (s->has_printed && s->descriptor == number)
        could_be_seen();
}

static int console_fails(FILE *file)
{
    int error = __selvedge_console_fails();
    if (error == 0)
        return 0;
    enter_world();
    stream_of(file)->failed = 1;
    leave_world();
    errno = error;
    return 1;
}

static int put(FILE *file, const void *from, size_t size)
{
    if (size == 0)
        return 1;
    int console = prints_on(file);
    if (console) {
        if (console_fails(file))
            return 0;
        __selvedge_print(console, from, size);
        return 1;
    }
    (void)((const volatile char *)from)[size - 1];
    unsigned char copy[size];
    memcpy(copy, from, size);
    if (!stream_of(file)->memory)
        __selvedge_shown(copy, size);
    enter_world();
    int result = __selvedge_put(stream_of(file), copy, size);
    leave_world();
    return result;
}

static int put_byte(int c, FILE *file)
{
    unsigned char byte = (unsigned char)c;
    return put(file, &byte, 1) ? byte : EOF;
}

/* Its end is looked for byte by byte. */
static int put_text(const char *text, FILE *file)
{
    size_t size = 0;
    while (text[size])
        size++;
    return put(file, text, size) ? 1 : EOF;
}

static size_t put_objects(const void *from, size_t size, size_t n, FILE *file)
{
    if (size == 0 || n == 0)
        return 0;
    size_t total;
    if (__builtin_mul_overflow(size, n, &total))
        __selvedge_unsupported("fwrite of more than there is memory");
    return put(file, from, total) ? n : 0;
}

static int print(FILE *file, const char *format, va_list args)
{
    int console = prints_on(file);
    if (console)
        return console_fails(file) ? -1 : __selvedge_print_list(console, format, args);
    va_list again;
    va_copy(again, args);
    int length = __selvedge_format(NULL, 0, format, args);
    int result = -1;
    if (length >= 0) {
        char text[(size_t)length + 1];
        __selvedge_format(text, (size_t)length + 1, format, again);
        result = put(file, text, (size_t)length) ? length : -1;
    }
    va_end(again);
    return result;
}

#define PRINT(last, file)                                                                                              \
    va_list args;                                                                                                      \
    va_start(args, last);                                                                                              \
    int result = print(file, format, args);                                                                            \
    va_end(args);                                                                                                      \
    return result

PASSIVE int printf(const char *format, ...) { PRINT(format, stdout); }
PASSIVE int fprintf(FILE *file, const char *format, ...) { PRINT(format, file); }
PASSIVE int __printf_chk(int flag, const char *format, ...)
{
    (void)flag;
    PRINT(format, stdout);
}
PASSIVE int __fprintf_chk(FILE *file, int flag, const char *format, ...)
{
    (void)flag;
    PRINT(format, file);
}
PASSIVE int vprintf(const char *format, va_list args) { return print(stdout, format, args); }
PASSIVE int vfprintf(FILE *file, const char *format, va_list args) { return print(file, format, args); }

PASSIVE int puts(const char *text)
{
    return put_text(text, stdout) == EOF ? EOF : put_byte('\n', stdout) == EOF ? EOF : 1;
}
PASSIVE int fputs(const char *text, FILE *file) { return put_text(text, file); }
PASSIVE int fputs_unlocked(const char *text, FILE *file) { return put_text(text, file); }
PASSIVE int putchar(int c) { return put_byte(c, stdout); }
PASSIVE int putchar_unlocked(int c) { return put_byte(c, stdout); }
PASSIVE int fputc(int c, FILE *file) { return put_byte(c, file); }
PASSIVE int fputc_unlocked(int c, FILE *file) { return put_byte(c, file); }
PASSIVE int putc(int c, FILE *file) { return put_byte(c, file); }
PASSIVE int putc_unlocked(int c, FILE *file) { return put_byte(c, file); }
PASSIVE int _IO_putc(int c, FILE *file) { return put_byte(c, file); }
PASSIVE size_t fwrite(const void *from, size_t size, size_t n, FILE *file) { return put_objects(from, size, n, file); }
PASSIVE size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *file)
{
    return put_objects(from, size, n, file);
}

WEAK void __selvedge_flush(struct stream *s)
{
    touch_given(s);
    if (s->has_printed)
        s->has_printed = 0;
    __selvedge_let_go(s, 1);
    if (s->memory && s->memory->flush)
        s->memory->flush(s->memory);
}

/* fflush(NULL) leaves alone what has only read. */
static void flush_output(struct stream *s)
{
    if (s->holding.ahead)
        __selvedge_let_go(s, 0);
    else
        __selvedge_flush(s);
}

/* A stream that holds nothing back has nothing left to write; one that does may find no room for it. */
static int flush(FILE *file)
{
    int failure = 0;
    if (file && console_of(file) && console_fails(file))
        return EOF;
    enter_world();
    if (file) {
        if (has_written(stream_of(file)))
            failure = FAILURE(ENOSPC);
        if (failure < 0)
            stream_of(file)->failed = 1;
        __selvedge_flush(stream_of(file));
    } else {
        flush_output(&__selvedge_stdout_file);
        flush_output(&__selvedge_stderr_file);
        for (struct stream *s = __selvedge_streams; s; s = s->next)
            flush_output(s);
    }
    leave_world();
    return outcome(failure) < 0 ? EOF : 0;
}

PASSIVE int fflush(FILE *file) { return flush(file); }
PASSIVE int fflush_unlocked(FILE *file) { return flush(file); }
