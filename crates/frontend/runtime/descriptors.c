/* Descriptors: the table, and what can be done to every kind of open file. See world.h. */
#include "holding.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* One read of a pipe or a terminal gives no more than this at once. */
#define MAX_READ (1 << 20)

WEAK struct descriptor __selvedge_descriptors[MAX_DESCRIPTORS] = {
    {&__selvedge_console[0], 0},
    {&__selvedge_console[1], 0},
    {&__selvedge_console[2], 0},
};

WEAK struct description *__selvedge_describe(const struct operations *kind, int flags, struct node *node)
{
    struct description *file = __selvedge_keep(sizeof *file);
    file->kind = kind;
    file->flags = flags & ~(O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC | O_CLOEXEC);
    file->node = node;
    return file;
}

/* That standard streams are open decides about numbers; otherwise it is part of `world.io-succeeds`. */
WEAK int __selvedge_install(struct description *file, int lowest, int flags)
{
    if (__selvedge_world(IO_MAY_FAIL, 0))
        __selvedge_assumed("world.standard-streams");
    for (int i = lowest; i < MAX_DESCRIPTORS; i++) {
        if (!__selvedge_descriptors[i].file) {
            __selvedge_descriptors[i].file = file;
            __selvedge_descriptors[i].flags = flags;
            return i;
        }
    }
    __selvedge_unsupported("more than 256 open descriptors");
}

WEAK void __selvedge_forget(struct description *file)
{
    if (--file->references == 0 && file->kind->release)
        file->kind->release(file);
}

WEAK int __selvedge_drop(int number)
{
    struct description *file = description_of(number);
    if (!file)
        return -EBADF;
    __selvedge_descriptors[number].file = NULL;
    __selvedge_descriptors[number].flags = 0;
    __selvedge_forget(file);
    return 0;
}

static int is_readable(const struct description *file)
{
    return (file->flags & O_ACCMODE) != O_WRONLY && !(file->flags & O_PATH);
}

static int is_writable(const struct description *file)
{
    return (file->flags & O_ACCMODE) != O_RDONLY && !(file->flags & O_PATH);
}

/* The number is free even if it fails, as on Linux. What was written may find no room only now. */
WEAK int __selvedge_close(int number)
{
    struct description *file = description_of(number);
    int holds_back = file && file->node && is_writable(file);
    int failure = !file ? 0 : holds_back ? FAILURE(EIO, ENOSPC) : FAILURE(EIO);
    int result = __selvedge_drop(number);
    return failure < 0 ? failure : result;
}

/* The program is told what kind of file a standard stream is, other than whether it is a terminal. */
WEAK void __selvedge_asks_kind(const struct description *file)
{
    if (file && file->kind == &__selvedge_console_kind)
        __selvedge_assumed("world.standard-streams");
}

/* Reading and writing. */

/* No error number. */
#define WRITES_LESS 0x10000

WEAK ssize_t __selvedge_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    if (!is_readable(file)) {
        __selvedge_asks_kind(file);
        return -EBADF;
    }
    if (!file->kind->read)
        return -EINVAL;
    int failure = size > 0 ? FAILURE(EIO, EINTR) : 0;
    if (failure < 0)
        return failure;
    return file->kind->read(file, to, size, at ? at : &file->position);
}

WEAK ssize_t __selvedge_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    if (!is_writable(file)) {
        __selvedge_asks_kind(file);
        return -EBADF;
    }
    if (!file->kind->write)
        return -EINVAL;
    /* That it writes less than it is given is one of the ways to fail: then it is one byte. */
    int failure = size == 0 ? 0 : size == 1 || file->kind->is_whole ? FAILURE(ENOSPC, EIO, EINTR) : FAILURE(ENOSPC, EIO, WRITES_LESS, EINTR);
    if (failure == -WRITES_LESS)
        size = 1;
    else if (failure < 0)
        return failure;
    return file->kind->write(file, from, size, at ? at : &file->position);
}

/* How much of `size` can come at once: no more than a file has room for, so that the copy of the bytes is small. */
static size_t at_most(struct description *file, size_t size)
{
    size_t most = file->node && file->node->room > 0 ? file->node->room : MAX_READ;
    return size < most ? size : most;
}

/* The description that a call at a place (-1: at the position) means, or NULL and the error. */
static struct description *described(int number, long long at, int changes, ssize_t *error)
{
    struct description *file = description_of(number);
    if (at >= 0)
        __selvedge_asks_kind(file);
    *error = !file ? -EBADF : at >= 0 && !file->kind->end ? -ESPIPE : 0;
    if (*error != 0)
        return NULL;
    note_use(file->node, changes, NULL);
    if (at < 0)
        note_position(file, NULL);
    return file;
}

/* A call that waits holds on to what it waits for, whatever becomes of the number: as on Linux, where closing a
 * descriptor neither ends nor redirects calls that are under way. */
static void hold(struct description *file, int *is_held)
{
    if (!*is_held)
        file->references++;
    *is_held = 1;
}

static void let_go(struct description *file)
{
    enter_world();
    __selvedge_forget(file);
    leave_world();
}

static int waits(const struct description *file, int (*wait)(struct description *, int))
{
    return wait && !(file->flags & O_NONBLOCK);
}

WEAK int __selvedge_slow(struct description *file)
{
    if (!__selvedge_may_interrupt() || (file->flags & O_NONBLOCK) || !file->kind->is_slow || !file->kind->is_slow(file))
        return 0;
    leave_world();
    int is_cut = __selvedge_interrupts(1);
    enter_world();
    return is_cut ? -EINTR : 0;
}

/* One attempt. The bytes go through a copy: they reach the program's buffer outside of the step. */
static ssize_t try_to_read(int number, void *buf, size_t size, long long at, struct description **found, int *is_held)
{
    ssize_t got = 0;
    enter_world();
    struct description *file = *found = *is_held ? *found : described(number, at, 0, &got);
    size_t n = file ? at_most(file, size) : 0;
    unsigned char copy[n ? n : 1];
    if (file && n > 0)
        got = __selvedge_slow(file);
    if (file && got == 0)
        got = __selvedge_read(file, copy, n, at >= 0 ? &at : NULL);
    if (got == WOULD_WAIT && waits(file, file->kind->wait_to_read))
        hold(file, is_held);
    leave_world();
    if (got > 0)
        memcpy(buf, copy, (size_t)got);
    return got;
}

static ssize_t try_to_write(int number, const void *buf, size_t size, long long at, struct description **found,
                            int *is_held)
{
    if (size > 0)
        (void)((const volatile char *)buf)[size - 1];
    unsigned char copy[size ? size : 1];
    memcpy(copy, buf, size);
    __selvedge_shown(copy, size);
    ssize_t put = 0;
    enter_world();
    struct description *file = *found = *is_held ? *found : described(number, at, 1, &put);
    if (file)
        put = __selvedge_write(file, copy, size, at >= 0 ? &at : NULL);
    if ((put == WOULD_WAIT || (put >= 0 && (size_t)put < size)) && waits(file, file->kind->wait_to_write))
        hold(file, is_held);
    leave_world();
    return put;
}

static ssize_t read_from(int number, void *buf, size_t size, long long at)
{
    struct description *file;
    __selvedge_must_fit(buf, size);
    int is_held = 0;
    ssize_t got;
    for (;;) {
        got = try_to_read(number, buf, size, at, &file, &is_held);
        if (got != WOULD_WAIT || !waits(file, file->kind->wait_to_read))
            break;
        int error = file->kind->wait_to_read(file, 1);
        if (error < 0) {
            got = error;
            break;
        }
    }
    if (is_held)
        let_go(file);
    return got;
}

/* Kinds that can wait take the rest when they have room again. */
static ssize_t write_to(int number, const void *buf, size_t size, long long at)
{
    struct description *file;
    int is_held = 0;
    size_t done = 0;
    ssize_t put;
    for (;;) {
        put = try_to_write(number, (const char *)buf + done, size - done, at, &file, &is_held);
        if (put == -EPIPE && file->kind->broken)
            file->kind->broken();
        if (put > 0)
            done += (size_t)put;
        if ((put < 0 && put != WOULD_WAIT) || (put >= 0 && done == size) || !file || !waits(file, file->kind->wait_to_write))
            break;
        if (put >= 0)
            continue;
        /* What was written is not written again: then it ends, as on Linux. */
        put = file->kind->wait_to_write(file, done == 0);
        if (put < 0)
            break;
    }
    if (is_held)
        let_go(file);
    return done > 0 || put >= 0 ? (ssize_t)done : put;
}

WEAK ssize_t read(int number, void *buf, size_t size)
{
    pthread_testcancel();
    return (ssize_t)outcome(read_from(number, buf, size, -1));
}

WEAK ssize_t write(int number, const void *buf, size_t size)
{
    pthread_testcancel();
    return (ssize_t)outcome(write_to(number, buf, size, -1));
}

WEAK ssize_t __selvedge_read_from(int number, void *buf, size_t size) { return read_from(number, buf, size, -1); }
WEAK ssize_t __selvedge_write_to(int number, const void *buf, size_t size) { return write_to(number, buf, size, -1); }

static ssize_t read_at(int number, void *buf, size_t size, long long at)
{
    pthread_testcancel();
    return (ssize_t)outcome(at < 0 ? -EINVAL : read_from(number, buf, size, at));
}

static ssize_t write_at(int number, const void *buf, size_t size, long long at)
{
    pthread_testcancel();
    return (ssize_t)outcome(at < 0 ? -EINVAL : write_to(number, buf, size, at));
}

WEAK ssize_t pread(int number, void *buf, size_t size, off_t at) { return read_at(number, buf, size, at); }
WEAK ssize_t pread64(int number, void *buf, size_t size, off64_t at) { return read_at(number, buf, size, at); }
WEAK ssize_t pwrite(int number, const void *buf, size_t size, off_t at) { return write_at(number, buf, size, at); }
WEAK ssize_t pwrite64(int number, const void *buf, size_t size, off64_t at) { return write_at(number, buf, size, at); }

/* With _FORTIFY_SOURCE: `room` is what the compiler knows of the buffer. */
static void need(size_t size, size_t room)
{
    if (size > room)
        abort();
}

WEAK ssize_t __read_chk(int number, void *buf, size_t size, size_t room)
{
    need(size, room);
    pthread_testcancel();
    return (ssize_t)outcome(read_from(number, buf, size, -1));
}

WEAK ssize_t __pread_chk(int number, void *buf, size_t size, off_t at, size_t room)
{
    need(size, room);
    return read_at(number, buf, size, at);
}

WEAK ssize_t __pread64_chk(int number, void *buf, size_t size, off64_t at, size_t room)
{
    need(size, room);
    return read_at(number, buf, size, at);
}

/* The sum of the lengths; a negated error number if there are too many. */
static long long total(const struct iovec *parts, int n)
{
    if (n < 0 || n > IOV_MAX)
        return -EINVAL;
    size_t sum = 0;
    for (int i = 0; i < n; i++) {
        if (parts[i].iov_len > (size_t)SSIZE_MAX - sum)
            return -EINVAL;
        sum += parts[i].iov_len;
    }
    return (long long)sum;
}

WEAK ssize_t readv(int number, const struct iovec *parts, int n)
{
    pthread_testcancel();
    long long size = total(parts, n);
    if (size < 0)
        return (ssize_t)outcome(size);
    for (int i = 0; i < n; i++)
        __selvedge_must_fit(parts[i].iov_base, parts[i].iov_len);
    unsigned char all[size ? size : 1];
    ssize_t got = read_from(number, all, (size_t)size, -1);
    size_t from = 0;
    for (int i = 0; i < n && got > 0 && from < (size_t)got; i++) {
        size_t left = (size_t)got - from;
        size_t now = parts[i].iov_len < left ? parts[i].iov_len : left;
        memcpy(parts[i].iov_base, all + from, now);
        from += now;
    }
    return (ssize_t)outcome(got);
}

WEAK ssize_t writev(int number, const struct iovec *parts, int n)
{
    pthread_testcancel();
    long long size = total(parts, n);
    if (size < 0)
        return (ssize_t)outcome(size);
    unsigned char all[size ? size : 1];
    size_t to = 0;
    for (int i = 0; i < n; i++) {
        memcpy(all + to, parts[i].iov_base, parts[i].iov_len);
        to += parts[i].iov_len;
    }
    return (ssize_t)outcome(write_to(number, all, (size_t)size, -1));
}

/* Positions. */

/* Linux 6.0 gave positions to descriptors that have no file, all of them zero. Which system it is, is decided once. */
static int ignores_offsets(const struct description *file)
{
    static enum { NOT_ASKED, IS_OLD, IS_NEW } system;
    if (!file->kind->may_ignore_offsets)
        return 0;
    if (system == NOT_ASKED) {
        unsigned char any;
        __selvedge_file_input(&any, 1, "age of Linux", 12, TIME_OF_FILE);
        system = any & 1 ? IS_NEW : IS_OLD;
    }
    return system == IS_NEW;
}

WEAK long long __selvedge_seek(struct description *file, long long offset, int whence)
{
    if (whence < SEEK_SET || whence > SEEK_HOLE)
        return -EINVAL;
    __selvedge_asks_kind(file);
    if (!file->kind->end)
        return ignores_offsets(file) ? 0 : -ESPIPE;
    /* Devices take every offset and stay where they are. */
    if (file->node && file->node->device)
        return 0;
    long long base;
    switch (whence) {
    case SEEK_SET:
        base = 0;
        break;
    case SEEK_CUR:
        base = file->position;
        break;
    case SEEK_END:
        base = file->kind->end(file);
        break;
    default:
        __selvedge_unsupported("lseek to data or holes");
    }
    long long to;
    /* POSIX has another error for what is too large; Linux has not. */
    if (__builtin_add_overflow(base, offset, &to) || to < 0)
        return -EINVAL;
    return file->position = to;
}

static long long move(int number, long long offset, int whence)
{
    enter_world();
    struct description *file = description_of(number);
    if (file)
        note_position(file, NULL);
    long long result = file ? __selvedge_seek(file, offset, whence) : -EBADF;
    leave_world();
    return outcome(result);
}

WEAK off_t lseek(int number, off_t offset, int whence) { return (off_t)move(number, offset, whence); }
WEAK off64_t lseek64(int number, off64_t offset, int whence) { return move(number, offset, whence); }

static int resize(int number, long long size)
{
    if (size < 0)
        return -EINVAL;
    enter_world();
    struct description *file = description_of(number);
    __selvedge_asks_kind(file);
    int result;
    if (!file)
        result = -EBADF;
    else if (!is_writable(file) || !file->kind->resize)
        result = -EINVAL;
    else
        result = FAILURE(EIO) < 0 ? -EIO : file->kind->resize(file, size);
    leave_world();
    return result;
}

WEAK int ftruncate(int number, off_t size) { return (int)outcome(resize(number, size)); }
WEAK int ftruncate64(int number, off64_t size) { return (int)outcome(resize(number, size)); }

static int flush(int number)
{
    pthread_testcancel();
    enter_world();
    struct description *file = description_of(number);
    __selvedge_asks_kind(file);
    int result = !file ? -EBADF : !file->node || file->node->device ? -EINVAL : FAILURE(EIO);
    leave_world();
    return (int)outcome(result);
}

WEAK int fsync(int number) { return flush(number); }
WEAK int fdatasync(int number) { return flush(number); }
WEAK void sync(void) {}

/* Advice changes nothing; it gives its error number as its result. */
static int advise(int number, long long size, int advice)
{
    enter_world();
    struct description *file = description_of(number);
    __selvedge_asks_kind(file);
    int error = !file ? EBADF : !file->kind->end ? ESPIPE : size < 0 || (unsigned)advice > POSIX_FADV_NOREUSE ? EINVAL : 0;
    leave_world();
    return error;
}

WEAK int posix_fadvise(int number, off_t at, off_t size, int advice) { return (void)at, advise(number, size, advice); }
WEAK int posix_fadvise64(int number, off64_t at, off64_t size, int advice)
{
    return (void)at, advise(number, size, advice);
}
