/* File names as texts (libgen.h), and other small functions on strings: versions, pairs of bytes, suboptions, digits
 * in base 64, names of signals.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <signal.h>
#include <string.h>
#include <sys/types.h>

static char dot[] = ".";

static size_t length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* GNU's: what follows the last slash; the argument is left alone. */
WEAK char *basename(const char *path)
{
    const char *after = path;
    for (; *path; path++)
        if (*path == '/')
            after = path + 1;
    return (char *)after;
}

/* POSIX's: slashes at the end do not count and are removed. */
WEAK char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return dot;
    size_t end = length(path);
    while (end > 1 && path[end - 1] == '/')
        end--;
    if (end == 1 && path[0] == '/')
        return path[1] ? path + length(path) - 1 : path;
    path[end] = 0;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    return path + start;
}

WEAK char *dirname(char *path)
{
    if (!path)
        return dot;
    size_t end = length(path);
    if (end == 2 && path[0] == '/' && path[1] == '/')
        return path;
    while (end > 1 && path[end - 1] == '/')
        end--;
    while (end > 0 && path[end - 1] != '/')
        end--;
    if (end == 0)
        return dot;
    size_t slashes = end;
    while (slashes > 0 && path[slashes - 1] == '/')
        slashes--;
    if (slashes == 0) {
        /* Two slashes at the start, and no more, are kept. */
        if (end == 2) {
            path[2] = 0;
            return path;
        }
        path[1] = 0;
        return path;
    }
    path[slashes] = 0;
    return path;
}

WEAK int ffsl(long bits) { return __builtin_ffsl(bits); }
WEAK int ffsll(long long bits) { return __builtin_ffsll(bits); }

WEAK void swab(const void *restrict from, void *restrict to, ssize_t n)
{
    const char *source = from;
    char *target = to;
    for (ssize_t i = 0; i + 1 < n; i += 2) {
        char first = source[i];
        target[i] = source[i + 1];
        target[i + 1] = first;
    }
}

static int is_known(int number) { return number > 0 && number < 32; }

WEAK char *strsignal(int number)
{
    static const char *const texts[] = {
        [SIGHUP] = "Hangup",
        [SIGINT] = "Interrupt",
        [SIGQUIT] = "Quit",
        [SIGILL] = "Illegal instruction",
        [SIGTRAP] = "Trace/breakpoint trap",
        [SIGABRT] = "Aborted",
        [SIGBUS] = "Bus error",
        [SIGFPE] = "Floating point exception",
        [SIGKILL] = "Killed",
        [SIGUSR1] = "User defined signal 1",
        [SIGSEGV] = "Segmentation fault",
        [SIGUSR2] = "User defined signal 2",
        [SIGPIPE] = "Broken pipe",
        [SIGALRM] = "Alarm clock",
        [SIGTERM] = "Terminated",
        [SIGSTKFLT] = "Stack fault",
        [SIGCHLD] = "Child exited",
        [SIGCONT] = "Continued",
        [SIGSTOP] = "Stopped (signal)",
        [SIGTSTP] = "Stopped",
        [SIGTTIN] = "Stopped (tty input)",
        [SIGTTOU] = "Stopped (tty output)",
        [SIGURG] = "Urgent I/O condition",
        [SIGXCPU] = "CPU time limit exceeded",
        [SIGXFSZ] = "File size limit exceeded",
        [SIGVTALRM] = "Virtual timer expired",
        [SIGPROF] = "Profiling timer expired",
        [SIGWINCH] = "Window changed",
        [SIGIO] = "I/O possible",
        [SIGPWR] = "Power failure",
        [SIGSYS] = "Bad system call",
    };
    if (!is_known(number))
        __selvedge_unsupported("strsignal of a number that is no usual signal");
    return (char *)texts[number];
}

/* The next `name[=value]` of a list with commas; which of `tokens` it is, -1 if none. */
WEAK int getsubopt(char **restrict options, char *const *restrict tokens, char **restrict value)
{
    char *start = *options, *end = start;
    *value = NULL;
    if (!*start)
        return -1;
    while (*end && *end != ',')
        end++;
    char *equals = start;
    while (equals < end && *equals != '=')
        equals++;
    *options = *end ? end + 1 : end;
    *end = 0;
    size_t n = (size_t)(equals - start);
    for (int i = 0; tokens[i]; i++) {
        size_t same = 0;
        while (same < n && tokens[i][same] == start[same])
            same++;
        if (same == n && !tokens[i][n]) {
            *value = equals < end ? equals + 1 : NULL;
            return i;
        }
    }
    *value = start;
    return -1;
}
