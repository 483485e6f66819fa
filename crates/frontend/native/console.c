/* Standard streams of the real program, as they are in the record.
 *
 * Standard input is a pipe with the recorded bytes, from which one read stops short where it did there. Whether a stream
 * is a terminal is answered as there.
 *
 * Relies on: FIONREAD tells how much of the pipe is left, also where a FILE has read ahead of the program.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static struct stat64 consoles[3];

/* Which of them is behind a descriptor, or -1. */
static int console_of(int number)
{
    struct stat64 now;
    if (fstat64(number, &now) < 0)
        return -1;
    for (int i = 0; i < 4; i++) {
        /* They may be the same file: then the number decides. */
        int which = i == 0 ? number : i - 1;
        if ((unsigned)which < 3 && now.st_dev == consoles[which].st_dev && now.st_ino == consoles[which].st_ino)
            return which;
    }
    return -1;
}

/* How much of `size` bytes a read of standard input, or of what a peer sent, may give here. */
static size_t at_most(int number, size_t size)
{
    static int was_short;
    int left;
    if (!sv_has_part || __atomic_load_n(&was_short, __ATOMIC_RELAXED) || console_of(number) != 0 ||
        ioctl(number, FIONREAD, &left) < 0)
        return sv_at_most_from_peer(number, size, 0);
    size_t before = sv_stdin_size - (size_t)left;
    if (before >= sv_part || size <= sv_part - before)
        return size;
    __atomic_store_n(&was_short, 1, __ATOMIC_RELAXED);
    return sv_part - before;
}

ssize_t selvedge_native_read(int number, void *to, size_t size)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    sv_wait_to_read(number);
    return read(number, to, at_most(number, size));
}

ssize_t selvedge_native_readv(int number, const struct iovec *parts, int n)
{
    sv_wait_to_read(number);
    size_t size = 0;
    for (int i = 0; i < n; i++)
        size += parts[i].iov_len;
    size_t most = at_most(number, size);
    if (most == size || n > IOV_MAX)
        return readv(number, parts, n);
    struct iovec some[n];
    for (int i = 0; i < n; i++) {
        some[i] = parts[i];
        if (some[i].iov_len > most)
            some[i].iov_len = most;
        most -= some[i].iov_len;
    }
    return readv(number, some, n);
}

int selvedge_native_isatty(int number)
{
    int which = console_of(number);
    if (which < 0 || sv_terminals[which] < 0)
        return isatty(number);
    if (!sv_terminals[which])
        errno = ENOTTY;
    return sv_terminals[which];
}

#define CONSOLE_FACTS(name, type)                                                                                      \
    int selvedge_native_##name(int number, struct type *to)                                                            \
    {                                                                                                                  \
        int result = name(number, to);                                                                                 \
        int which = result < 0 ? -1 : console_of(number);                                                              \
        if (which >= 0 && sv_terminals[which] >= 0)                                                                    \
            to->st_mode = sv_terminals[which] ? S_IFCHR | 0620 : S_IFIFO | 0600;                                       \
        return result;                                                                                                 \
    }
CONSOLE_FACTS(fstat, stat)
CONSOLE_FACTS(fstat64, stat64)

/* A pipe if it has room for all, as the engine's standard input is none that one can seek in. */
static void redirect_input(void)
{
    int ends[2] = {-1, -1};
    if (!sv_has_stdin)
        return;
    if (pipe2(ends, O_NONBLOCK) == 0) {
        if (sv_stdin_size > 0)
            fcntl(ends[1], F_SETPIPE_SZ, (int)sv_stdin_size);
        ssize_t n = sv_stdin_size > 0 ? write(ends[1], sv_stdin, sv_stdin_size) : 0;
        close(ends[1]);
        if (n == (ssize_t)sv_stdin_size) {
            fcntl(ends[0], F_SETFL, O_RDONLY);
        } else {
            close(ends[0]);
            ends[0] = -1;
        }
    }
    if (ends[0] < 0) {
        ends[0] = memfd_create("stdin", 0);
        if (write(ends[0], sv_stdin, sv_stdin_size) != (ssize_t)sv_stdin_size || lseek(ends[0], 0, SEEK_SET) < 0)
            sv_diverged("the recorded standard input cannot be kept");
    }
    if (dup2(ends[0], 0) < 0)
        sv_diverged("the recorded standard input cannot be given");
    if (ends[0] != 0)
        close(ends[0]);
}

void sv_build_consoles(void)
{
    /* What a shell or a debugger left open would change the numbers that the program gets. */
    for (int number = 3; number < SV_HIGH_DESCRIPTOR; number++)
        close(number);
    redirect_input();
    for (int i = 0; i < 3; i++)
        fstat64(i, &consoles[i]);
}

/* No tool looks at what the system's writes. */
char *selvedge_native_gets(char *buf)
{
    for (size_t n = 0;; n++) {
        int c = getchar();
        if (c == EOF && n == 0)
            return NULL;
        __selvedge_must_fit(buf + n, 1);
        buf[n] = c == EOF || c == '\n' ? 0 : (char)c;
        if (c == EOF || c == '\n')
            return buf;
    }
}
