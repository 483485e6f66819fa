/* Files by descriptor and by name: there are none, as for fopen, and none can be made.
 *
 * The descriptors are 0, 1 and 2, which are no files and stay open; what would make another one fails.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

/* The byte of a name is read, so that a bad pointer is noticed. */
static int no_file(const char *path)
{
    (void)*(const volatile char *)path;
    errno = ENOENT;
    return -1;
}

/* A new file cannot be made. */
static int open_file(const char *path, int flags)
{
    int result = no_file(path);
    if (flags & O_CREAT)
        errno = EACCES;
    return result;
}

WEAK int open(const char *path, int flags, ...) { return open_file(path, flags); }
WEAK int open64(const char *path, int flags, ...) { return open_file(path, flags); }
WEAK int creat(const char *path, mode_t mode) { return (void)mode, open_file(path, O_CREAT); }
WEAK int creat64(const char *path, mode_t mode) { return (void)mode, open_file(path, O_CREAT); }

WEAK int access(const char *path, int mode) { return (void)mode, no_file(path); }
WEAK int stat(const char *restrict path, struct stat *restrict to) { return (void)to, no_file(path); }
WEAK int lstat(const char *restrict path, struct stat *restrict to) { return (void)to, no_file(path); }
WEAK int stat64(const char *restrict path, struct stat64 *restrict to) { return (void)to, no_file(path); }
WEAK int lstat64(const char *restrict path, struct stat64 *restrict to) { return (void)to, no_file(path); }
WEAK int unlink(const char *path) { return no_file(path); }
WEAK int remove(const char *path) { return no_file(path); }
WEAK int rmdir(const char *path) { return no_file(path); }
WEAK int chdir(const char *path) { return no_file(path); }
WEAK int chmod(const char *path, mode_t mode) { return (void)mode, no_file(path); }
WEAK int chown(const char *path, uid_t user, gid_t group) { return (void)user, (void)group, no_file(path); }
WEAK int utime(const char *path, const struct utimbuf *times) { return (void)times, no_file(path); }
WEAK int truncate(const char *path, off_t size) { return (void)size, no_file(path); }
WEAK int mkdir(const char *path, mode_t mode) { return (void)mode, open_file(path, O_CREAT); }
WEAK int ftw(const char *path, __ftw_func_t visit, int depth) { return (void)visit, (void)depth, no_file(path); }
WEAK int rename(const char *from, const char *to) { return (void)*(const volatile char *)to, no_file(from); }

WEAK DIR *opendir(const char *path)
{
    no_file(path);
    return NULL;
}

static int is_standard(int descriptor) { return (unsigned)descriptor < 3u; }

static int refuse(int error)
{
    errno = error;
    return -1;
}

WEAK int close(int descriptor) { return is_standard(descriptor) ? 0 : refuse(EBADF); }
WEAK int fsync(int descriptor) { return refuse(is_standard(descriptor) ? EINVAL : EBADF); }

WEAK int ftruncate(int descriptor, off_t size)
{
    (void)size;
    return refuse(is_standard(descriptor) ? EINVAL : EBADF);
}

/* The table of descriptors is full. */
WEAK int dup(int descriptor) { return refuse(is_standard(descriptor) ? EMFILE : EBADF); }

WEAK off_t lseek(int descriptor, off_t offset, int from)
{
    (void)offset, (void)from;
    return refuse(is_standard(descriptor) ? ESPIPE : EBADF);
}

WEAK off64_t lseek64(int descriptor, off64_t offset, int from)
{
    (void)offset, (void)from;
    return refuse(is_standard(descriptor) ? ESPIPE : EBADF);
}

WEAK ssize_t pread(int descriptor, void *buf, size_t size, off_t offset)
{
    (void)buf, (void)size, (void)offset;
    return refuse(is_standard(descriptor) ? ESPIPE : EBADF);
}

WEAK ssize_t pwrite(int descriptor, const void *buf, size_t size, off_t offset)
{
    (void)buf, (void)size, (void)offset;
    return refuse(is_standard(descriptor) ? ESPIPE : EBADF);
}

WEAK int fstat(int descriptor, struct stat *to)
{
    (void)to;
    if (is_standard(descriptor))
        __selvedge_unsupported("fstat of a standard stream");
    return refuse(EBADF);
}

/* Whether somebody sits there is open. */
WEAK int isatty(int descriptor)
{
    if (!is_standard(descriptor))
        return refuse(EBADF), 0;
    int is_one = __VERIFIER_nondet_int() & 1;
    errno = is_one ? errno : ENOTTY;
    return is_one;
}

WEAK FILE *fdopen(int descriptor, const char *mode)
{
    (void)*(const volatile char *)mode;
    switch (descriptor) {
    case 0:
        return stdin;
    case 1:
        return stdout;
    case 2:
        return stderr;
    default:
        refuse(EBADF);
        return NULL;
    }
}

WEAK char *getcwd(char *buf, size_t size)
{
    if (!buf)
        __selvedge_unsupported("getcwd without a buffer");
    if (size < 2) {
        refuse(size == 0 ? EINVAL : ERANGE);
        return NULL;
    }
    buf[0] = '/';
    buf[1] = '\0';
    return buf;
}
