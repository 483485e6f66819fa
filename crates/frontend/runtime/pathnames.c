/* basename and dirname, which look at text only. */
#define _GNU_SOURCE
#include "runtime.h"

#include <libgen.h>

static char dot[] = ".", slash[] = "/";

/* As POSIX has it; the GNU one of string.h is another function, but has another name to the linker only here. */
WEAK char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return dot;
    size_t n = 0;
    while (path[n])
        n++;
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    if (n == 1 && path[0] == '/')
        return slash;
    while (n > 0 && path[n - 1] != '/')
        n--;
    return path + n;
}

/* The GNU one: what follows the last slash. */
#undef basename
WEAK char *basename(const char *path)
{
    const char *last = path;
    for (; *path; path++) {
        if (*path == '/')
            last = path + 1;
    }
    return (char *)last;
}

WEAK char *dirname(char *path)
{
    if (!path || !*path)
        return dot;
    size_t n = 0;
    while (path[n])
        n++;
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return dot;
    while (n > 1 && path[n - 1] == '/')
        n--;
    path[n] = 0;
    return path;
}
