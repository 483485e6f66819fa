/* errno: one for each thread, and the texts of error numbers.
 *
 * The texts are glibc's for the numbers that programs usually meet; any other number gets glibc's text for numbers it
 * does not know, `Unknown error N`.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <string.h>

static _Thread_local int current_errno;

WEAK int *__errno_location(void) { return &current_errno; }

static const char *const texts[] = {
    [0] = "Success",
    [EPERM] = "Operation not permitted",
    [ENOENT] = "No such file or directory",
    [ESRCH] = "No such process",
    [EINTR] = "Interrupted system call",
    [EIO] = "Input/output error",
    [ENXIO] = "No such device or address",
    [E2BIG] = "Argument list too long",
    [ENOEXEC] = "Exec format error",
    [EBADF] = "Bad file descriptor",
    [ECHILD] = "No child processes",
    [EAGAIN] = "Resource temporarily unavailable",
    [ENOMEM] = "Cannot allocate memory",
    [EACCES] = "Permission denied",
    [EFAULT] = "Bad address",
    [ENOTBLK] = "Block device required",
    [EBUSY] = "Device or resource busy",
    [EEXIST] = "File exists",
    [EXDEV] = "Invalid cross-device link",
    [ENODEV] = "No such device",
    [ENOTDIR] = "Not a directory",
    [EISDIR] = "Is a directory",
    [EINVAL] = "Invalid argument",
    [ENFILE] = "Too many open files in system",
    [EMFILE] = "Too many open files",
    [ENOTTY] = "Inappropriate ioctl for device",
    [ETXTBSY] = "Text file busy",
    [EFBIG] = "File too large",
    [ENOSPC] = "No space left on device",
    [ESPIPE] = "Illegal seek",
    [EROFS] = "Read-only file system",
    [EMLINK] = "Too many links",
    [EPIPE] = "Broken pipe",
    [EDOM] = "Numerical argument out of domain",
    [ERANGE] = "Numerical result out of range",
    [EDEADLK] = "Resource deadlock avoided",
    [ENAMETOOLONG] = "File name too long",
    [ENOLCK] = "No locks available",
    [ENOSYS] = "Function not implemented",
    [ENOTEMPTY] = "Directory not empty",
    [ELOOP] = "Too many levels of symbolic links",
    [EOVERFLOW] = "Value too large for defined data type",
    [EILSEQ] = "Invalid or incomplete multibyte or wide character",
    [EOPNOTSUPP] = "Operation not supported",
    [ETIMEDOUT] = "Connection timed out",
    [ECONNREFUSED] = "Connection refused",
    [EALREADY] = "Operation already in progress",
    [EINPROGRESS] = "Operation now in progress",
    [ECANCELED] = "Operation canceled",
};

static int is_known(int error)
{
    return error >= 0 && (size_t)error < sizeof texts / sizeof texts[0] && texts[error];
}

WEAK const char *__selvedge_error_text(int error)
{
    static char unknown[sizeof "Unknown error -2147483648"];
    if (is_known(error))
        return texts[error];

    static const char prefix[] = "Unknown error ";
    memcpy(unknown, prefix, sizeof prefix - 1);
    char *out = unknown + sizeof prefix - 1;
    unsigned value = error < 0 ? 0u - (unsigned)error : (unsigned)error;
    if (error < 0)
        *out++ = '-';
    char digits[10];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *out++ = digits[--n];
    *out = 0;
    return unknown;
}

WEAK char *strerror(int error) { return (char *)__selvedge_error_text(error); }

/* The GNU strerror_r, which may ignore the buffer. */
WEAK char *strerror_r(int error, char *buf, size_t size)
{
    (void)buf;
    (void)size;
    return (char *)__selvedge_error_text(error);
}

/* The POSIX strerror_r. */
WEAK int __xpg_strerror_r(int error, char *buf, size_t size)
{
    const char *text = __selvedge_error_text(error);
    for (size_t i = 0; i < size; i++) {
        buf[i] = text[i];
        if (!text[i])
            return is_known(error) ? 0 : EINVAL;
    }
    if (size)
        buf[size - 1] = 0;
    return ERANGE;
}
