/* Calls about files and streams that failed in the record although nothing spoke against it: they fail here, too.
 *
 * The record names such a call by the point before it, so that nothing has to be known about when a call could have
 * failed. Programs call these functions instead of the system's if a call of the record failed.
 *
 * A call that reads a stream may fail at each byte that the engine's reads: what came before is read here as well.
 *
 * Relies on: glibc's mark of failure in a FILE.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

/* No error number: output was cut short after one byte (runtime/descriptors.c). */
#define WRITES_LESS 0x10000

/* How the call that follows the last point ended. */
struct ending {
    int error;    /* 0: well */
    int is_short; /* it wrote one byte only, at least at first */
    size_t after; /* so often it could have failed before */
};

static struct ending ending(void)
{
    struct ending result = {0};
    struct sv_thread *t = sv_me;
    if (!t || t->mode == SV_LET_GO)
        return result;
    for (size_t i = 0; i < sv_n_io_failures; i++) {
        struct sv_io_failure *failure = &sv_io_failures[i];
        if (failure->is_done || failure->thread != t->number || failure->point != t->count)
            continue;
        failure->is_done = 1;
        sv_count_failure();
        if (failure->error == WRITES_LESS) {
            result.is_short = 1;
        } else {
            result.error = failure->error;
            result.after = failure->after;
        }
    }
    return result;
}

int sv_memory_fails(void) { return ending().error != 0; }

const struct sv_io_failure *sv_not_failed(void)
{
    for (size_t i = 0; sv_threads && i < sv_n_io_failures; i++) {
        const struct sv_io_failure *failure = &sv_io_failures[i];
        const struct sv_thread *t = &sv_threads[failure->thread];
        if (!failure->is_done && t->count >= failure->point)
            return failure;
    }
    return NULL;
}

/* --- calls of the system --- */

#define FAILS_INSTEAD(type, name, target, parameters, arguments, failed)                                               \
    type selvedge_failing_##name parameters                                                                            \
    {                                                                                                                  \
        int error = ending().error;                                                                                    \
        if (error)                                                                                                     \
            return errno = error, failed;                                                                              \
        return target arguments;                                                                                       \
    }
#define FAILS(type, name, parameters, arguments, failed) FAILS_INSTEAD(type, name, name, parameters, arguments, failed)
/* One that has a place in the recorded world (world.c, console.c, peers.c, signals.c). */
#define FAILS_THERE(type, name, parameters, arguments, failed)                                                         \
    type selvedge_native_##name parameters;                                                                            \
    FAILS_INSTEAD(type, name, selvedge_native_##name, parameters, arguments, failed)
/* What is closed is closed, and only then says that it failed. */
#define FAILS_AFTERWARDS(name, type, failed)                                                                           \
    int selvedge_failing_##name(type which)                                                                            \
    {                                                                                                                  \
        int error = ending().error;                                                                                    \
        int result = name(which);                                                                                      \
        return error ? (errno = error, failed) : result;                                                               \
    }

#define OPENS(name, parameters, arguments)                                                                             \
    int selvedge_native_##name parameters;                                                                             \
    int selvedge_failing_##name parameters                                                                             \
    {                                                                                                                  \
        MODE_AFTER(flags);                                                                                             \
        int error = ending().error;                                                                                    \
        return error ? (errno = error, -1) : selvedge_native_##name arguments;                                         \
    }

OPENS(open, (const char *path, int flags, ...), (path, flags, mode))
OPENS(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENS(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENS(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
FAILS_THERE(int, creat, (const char *path, mode_t mode), (path, mode), -1)
FAILS_THERE(int, creat64, (const char *path, mode_t mode), (path, mode), -1)
FAILS_THERE(DIR *, opendir, (const char *path), (path), NULL)
FAILS_THERE(int, mkstemp, (char *template), (template), -1)
FAILS_THERE(int, mkstemp64, (char *template), (template), -1)
FAILS_THERE(int, mkostemp, (char *template, int flags), (template, flags), -1)
FAILS_THERE(int, mkstemps, (char *template, int after), (template, after), -1)
FAILS_THERE(char *, mkdtemp, (char *template), (template), NULL)
FAILS_AFTERWARDS(close, int, -1)
FAILS_AFTERWARDS(closedir, DIR *, -1)

FAILS_THERE(ssize_t, read, (int number, void *to, size_t size), (number, to, size), -1)
FAILS_THERE(ssize_t, readv, (int number, const struct iovec *parts, int n), (number, parts, n), -1)
FAILS(ssize_t, pread, (int number, void *to, size_t size, off_t at), (number, to, size, at), -1)
FAILS(ssize_t, pread64, (int number, void *to, size_t size, off64_t at), (number, to, size, at), -1)

/* What is written, if it is cut short: one byte. */
#define WRITES(name, target, parameters, arguments)                                                                    \
    ssize_t selvedge_failing_##name parameters                                                                         \
    {                                                                                                                  \
        struct ending end = ending();                                                                                  \
        if (end.error && !end.is_short)                                                                                \
            return errno = end.error, -1;                                                                              \
        if (end.is_short && size > 1)                                                                                  \
            size = 1;                                                                                                  \
        return target arguments;                                                                                       \
    }
ssize_t selvedge_native_write(int number, const void *from, size_t size);
WRITES(write, selvedge_native_write, (int number, const void *from, size_t size), (number, from, size))
WRITES(pwrite, pwrite, (int number, const void *from, size_t size, off_t at), (number, from, size, at))
WRITES(pwrite64, pwrite64, (int number, const void *from, size_t size, off64_t at), (number, from, size, at))

ssize_t selvedge_native_writev(int number, const struct iovec *parts, int n);

ssize_t selvedge_failing_writev(int number, const struct iovec *parts, int n)
{
    struct ending end = ending();
    if (end.error && !end.is_short)
        return errno = end.error, -1;
    for (int i = 0; end.is_short && i < n; i++) {
        if (parts[i].iov_len > 0)
            return write(number, parts[i].iov_base, 1);
    }
    return selvedge_native_writev(number, parts, n);
}

FAILS(int, fsync, (int number), (number), -1)
FAILS(int, fdatasync, (int number), (number), -1)
FAILS(int, ftruncate, (int number, off_t size), (number, size), -1)
FAILS(int, ftruncate64, (int number, off64_t size), (number, size), -1)
FAILS_THERE(int, truncate, (const char *path, off_t size), (path, size), -1)
FAILS_THERE(int, truncate64, (const char *path, off64_t size), (path, size), -1)
FAILS_THERE(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)
FAILS_THERE(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode), -1)
FAILS_THERE(int, unlink, (const char *path), (path), -1)
FAILS_THERE(int, unlinkat, (int at, const char *path, int flags), (at, path, flags), -1)
FAILS_THERE(int, rmdir, (const char *path), (path), -1)
FAILS_THERE(int, remove, (const char *path), (path), -1)
FAILS_THERE(int, link, (const char *from, const char *to), (from, to), -1)
FAILS_THERE(int, linkat, (int at, const char *from, int to_at, const char *to, int flags), (at, from, to_at, to, flags),
            -1)
FAILS_THERE(int, rename, (const char *from, const char *to), (from, to), -1)
FAILS_THERE(int, renameat, (int at, const char *from, int to_at, const char *to), (at, from, to_at, to), -1)
FAILS_THERE(int, renameat2, (int at, const char *from, int to_at, const char *to, unsigned flags),
            (at, from, to_at, to, flags), -1)
FAILS_THERE(int, symlink, (const char *target, const char *path), (target, path), -1)
FAILS_THERE(int, symlinkat, (const char *target, int at, const char *path), (target, at, path), -1)

FAILS(int, dup, (int number), (number), -1)
FAILS(int, pipe, (int *ends), (ends), -1)
FAILS(int, pipe2, (int *ends, int flags), (ends, flags), -1)
FAILS(int, eventfd, (unsigned n, int flags), (n, flags), -1)
FAILS(int, epoll_create, (int size), (size), -1)
FAILS(int, epoll_create1, (int flags), (flags), -1)
FAILS(int, socket, (int domain, int type, int protocol), (domain, type, protocol), -1)
FAILS(int, socketpair, (int domain, int type, int protocol, int *ends), (domain, type, protocol, ends), -1)
FAILS_THERE(int, accept, (int number, struct sockaddr *from, socklen_t *size), (number, from, size), -1)
FAILS_THERE(int, accept4, (int number, struct sockaddr *from, socklen_t *size, int flags), (number, from, size, flags),
            -1)
FAILS_THERE(ssize_t, send, (int number, const void *from, size_t size, int flags), (number, from, size, flags), -1)
FAILS_THERE(ssize_t, sendto,
      (int number, const void *from, size_t size, int flags, const struct sockaddr *to, socklen_t n),
      (number, from, size, flags, to, n), -1)
FAILS_THERE(ssize_t, sendmsg, (int number, const struct msghdr *from, int flags), (number, from, flags), -1)
FAILS_THERE(ssize_t, recv, (int number, void *to, size_t size, int flags), (number, to, size, flags), -1)
FAILS_THERE(ssize_t, recvfrom,
            (int number, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *n),
            (number, to, size, flags, from, n), -1)
FAILS_THERE(ssize_t, recvmsg, (int number, struct msghdr *to, int flags), (number, to, flags), -1)

int selvedge_failing_fcntl(int number, int what, ...)
{
    va_list rest;
    va_start(rest, what);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    int error = ending().error;
    return error ? (errno = error, -1) : fcntl(number, what, argument);
}

/* --- calls that get memory for themselves --- */

FAILS(char *, strdup, (const char *text), (text), NULL)
FAILS(char *, strndup, (const char *text, size_t most), (text, most), NULL)
char *__strdup(const char *text);
char *__strndup(const char *text, size_t most);
FAILS(char *, __strdup, (const char *text), (text), NULL)
FAILS(char *, __strndup, (const char *text, size_t most), (text, most), NULL)
FAILS(wchar_t *, wcsdup, (const wchar_t *text), (text), NULL)
FAILS(int, setenv, (const char *name, const char *value, int replace), (name, value, replace), -1)
FAILS(void *, mmap, (void *at, size_t size, int rights, int flags, int number, off_t from),
      (at, size, rights, flags, number, from), MAP_FAILED)
FAILS_THERE(char *, getcwd, (char *buf, size_t size), (buf, size), NULL)
FAILS_THERE(char *, realpath, (const char *path, char *to), (path, to), NULL)

/* --- streams: opening, closing, writing --- */

FAILS_THERE(FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL)
FAILS_THERE(FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL)
FAILS(FILE *, fmemopen, (void *buf, size_t size, const char *mode), (buf, size, mode), NULL)
FAILS(FILE *, open_memstream, (char **to, size_t *size), (to, size), NULL)
FAILS(FILE *, tmpfile, (void), (), NULL)
FAILS(FILE *, tmpfile64, (void), (), NULL)
FAILS_AFTERWARDS(fclose, FILE *, EOF)

/* The old file is closed in any case. That closing it fails is not told, so that only the second chance counts. */
#define REOPENS(name)                                                                                                  \
    FILE *selvedge_native_##name(const char *path, const char *mode, FILE *file);                                      \
    FILE *selvedge_failing_##name(const char *path, const char *mode, FILE *file)                                      \
    {                                                                                                                  \
        struct ending end = ending();                                                                                  \
        if (!end.error || end.after == 0)                                                                              \
            return selvedge_native_##name(path, mode, file);                                                           \
        (void)!name("", mode, file);                                                                                   \
        return errno = end.error, NULL;                                                                                \
    }
REOPENS(freopen)
REOPENS(freopen64)

/* Whether the output under way failed; then nothing of it is written. */
static int put_fails(FILE *file)
{
    int error = ending().error;
    if (!error)
        return 0;
    file->_flags |= _IO_ERR_SEEN;
    errno = error;
    return 1;
}

#define PUTS(type, name, parameters, arguments, file, failed)                                                          \
    type selvedge_failing_##name parameters { return put_fails(file) ? failed : name arguments; }

PUTS(int, puts, (const char *text), (text), stdout, EOF)
PUTS(int, fputs, (const char *text, FILE *file), (text, file), file, EOF)
PUTS(int, fputs_unlocked, (const char *text, FILE *file), (text, file), file, EOF)
PUTS(int, putchar, (int c), (c), stdout, EOF)
PUTS(int, putchar_unlocked, (int c), (c), stdout, EOF)
PUTS(int, putc, (int c, FILE *file), (c, file), file, EOF)
PUTS(int, putc_unlocked, (int c, FILE *file), (c, file), file, EOF)
PUTS(int, fputc, (int c, FILE *file), (c, file), file, EOF)
PUTS(int, fputc_unlocked, (int c, FILE *file), (c, file), file, EOF)
PUTS(size_t, fwrite, (const void *from, size_t size, size_t n, FILE *file), (from, size, n, file), file, 0)
PUTS(size_t, fwrite_unlocked, (const void *from, size_t size, size_t n, FILE *file), (from, size, n, file), file, 0)
PUTS(int, vprintf, (const char *format, va_list args), (format, args), stdout, -1)
PUTS(int, vfprintf, (FILE *file, const char *format, va_list args), (file, format, args), file, -1)

#define PRINTS(name, parameters, last, call)                                                                           \
    int selvedge_failing_##name parameters                                                                             \
    {                                                                                                                  \
        va_list args;                                                                                                  \
        va_start(args, last);                                                                                          \
        int result = call;                                                                                             \
        va_end(args);                                                                                                  \
        return result;                                                                                                 \
    }

PRINTS(printf, (const char *format, ...), format, selvedge_failing_vprintf(format, args))
PRINTS(fprintf, (FILE *file, const char *format, ...), format, selvedge_failing_vfprintf(file, format, args))
FAILS(int, vdprintf, (int number, const char *format, va_list args), (number, format, args), -1)
FAILS(int, vasprintf, (char **to, const char *format, va_list args), (to, format, args), -1)
PRINTS(asprintf, (char **to, const char *format, ...), format, selvedge_failing_vasprintf(to, format, args))
PRINTS(dprintf, (int number, const char *format, ...), format, selvedge_failing_vdprintf(number, format, args))

int selvedge_failing_fflush(FILE *file) { return file && put_fails(file) ? EOF : fflush(file); }
int selvedge_failing_fflush_unlocked(FILE *file) { return file && put_fails(file) ? EOF : fflush_unlocked(file); }

/* --- streams: reading --- */

/* The bytes of a stream that came before it failed. */
struct before {
    FILE *file;
    size_t left;
};

static ssize_t get_before(void *cookie, char *to, size_t size)
{
    struct before *before = cookie;
    (void)size;
    int c = before->left > 0 ? getc(before->file) : EOF;
    if (c == EOF)
        return 0;
    before->left--;
    *to = (char)c;
    return 1;
}

/* A stream that ends where the other one failed. */
static FILE *open_before(struct before *before)
{
    FILE *file = fopencookie(before, "r", (cookie_io_functions_t){.read = get_before});
    if (!file)
        sv_diverged("no stream can be made: %s", strerror(errno));
    return file;
}

static void get_fails(FILE *file, int error)
{
    file->_flags |= _IO_ERR_SEEN;
    errno = error;
}

#define GETS(name, parameters, arguments, file)                                                                        \
    int selvedge_failing_##name parameters                                                                             \
    {                                                                                                                  \
        int error = ending().error;                                                                                    \
        if (!error)                                                                                                    \
            return name arguments;                                                                                     \
        get_fails(file, error);                                                                                        \
        return EOF;                                                                                                    \
    }
GETS(getchar, (void), (), stdin)
GETS(getchar_unlocked, (void), (), stdin)
GETS(getc, (FILE *file), (file), file)
GETS(getc_unlocked, (FILE *file), (file), file)
GETS(fgetc, (FILE *file), (file), file)
GETS(fgetc_unlocked, (FILE *file), (file), file)

/* So much of a stream as came before. */
static size_t get_some(char *to, size_t size, FILE *file, const struct ending *end)
{
    size_t n = 0;
    for (int c; n < size && n < end->after && (c = getc(file)) != EOF; n++)
        to[n] = (char)c;
    get_fails(file, end->error);
    return n;
}

char *selvedge_failing_fgets(char *to, int size, FILE *file)
{
    struct ending end = ending();
    if (!end.error)
        return fgets(to, size, file);
    get_some(to, size > 0 ? (size_t)size - 1 : 0, file, &end);
    return NULL;
}

size_t selvedge_failing_fread(void *to, size_t size, size_t n, FILE *file)
{
    struct ending end = ending();
    return end.error ? get_some(to, size * n, file, &end) / size : fread(to, size, n, file);
}

ssize_t selvedge_failing_getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    struct ending end = ending();
    if (!end.error)
        return getdelim(line, size, delimiter, file);
    struct before before = {file, end.after};
    FILE *part = open_before(&before);
    ssize_t result = getdelim(line, size, delimiter, part);
    fclose(part);
    if (end.error == ENOMEM)
        return errno = ENOMEM, -1;
    get_fails(file, end.error);
    return result;
}

ssize_t selvedge_failing___getdelim(char **line, size_t *size, int delimiter, FILE *file)
{
    return selvedge_failing_getdelim(line, size, delimiter, file);
}

ssize_t selvedge_failing_getline(char **line, size_t *size, FILE *file)
{
    return selvedge_failing_getdelim(line, size, '\n', file);
}

int selvedge_failing_vfscanf(FILE *file, const char *format, va_list args)
{
    struct ending end = ending();
    if (!end.error)
        return vfscanf(file, format, args);
    struct before before = {file, end.after};
    FILE *part = open_before(&before);
    int result = vfscanf(part, format, args);
    fclose(part);
    get_fails(file, end.error);
    return result;
}

int selvedge_failing_vscanf(const char *format, va_list args) { return selvedge_failing_vfscanf(stdin, format, args); }
PRINTS(scanf, (const char *format, ...), format, selvedge_failing_vfscanf(stdin, format, args))
PRINTS(fscanf, (FILE *file, const char *format, ...), format, selvedge_failing_vfscanf(file, format, args))
/* What glibc's headers make of them. */
PRINTS(__isoc99_scanf, (const char *format, ...), format, selvedge_failing_vfscanf(stdin, format, args))
PRINTS(__isoc99_fscanf, (FILE *file, const char *format, ...), format, selvedge_failing_vfscanf(file, format, args))
