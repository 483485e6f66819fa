/* The recorded world of files, rebuilt round the real program.
 *
 * Before the program starts, the recorded files are written to a private directory, which is the program's root; the
 * program begins in its home/user, as in the engine. Names that begin with a slash, or go up, become names below that
 * directory, and names that come back are turned round. A process of our own removes the directory when the program has
 * ended, however it ends: most end by a signal.
 *
 * Relies on: functions of libraries that name files themselves are not used; calls of the program come here.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utime.h>

#define HOME "/home/user"

static char root[PATH_MAX];
static size_t root_length;
/* Stands for every name that is too long with the root before it. */
static char too_long[PATH_MAX + 2];

/* --- names --- */

static int goes_up(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/')) {
        part += *part == '/';
        if (part[0] == '.' && part[1] == '.' && (part[2] == '/' || part[2] == 0))
            return 1;
    }
    return 0;
}

/* Adds the parts of `path` to the name in `to`; going up ends at the root, which is `depth` parts above. */
static int append(char *to, const char *path, int *depth)
{
    size_t n = strlen(to);
    for (const char *part = path; *part;) {
        size_t length = strcspn(part, "/");
        int is_up = length == 2 && part[0] == '.' && part[1] == '.';
        if (length > 0 && !(is_up && *depth == 0)) {
            if (n + 1 + length + 1 >= PATH_MAX)
                return -1;
            to[n++] = '/';
            memcpy(to + n, part, length);
            n += length;
            if (!(length == 1 && part[0] == '.'))
                *depth += is_up ? -1 : 1;
        }
        part += length;
        if (*part == '/' && !*++part)
            to[n++] = '/';
    }
    to[n] = 0;
    return 0;
}

static int is_inside(const char *real)
{
    return strncmp(real, root, root_length) == 0 && (real[root_length] == '/' || real[root_length] == 0);
}

/* The name by which the program knows a real one. */
static const char *known_as(const char *real)
{
    if (!is_inside(real))
        return real;
    return real[root_length] ? real + root_length : "/";
}

/* Where the directory is from which `at` counts, as the program knows it. */
static int base_of(int at, char *base)
{
    char real[PATH_MAX], link[64];
    if (at == AT_FDCWD) {
        if (!getcwd(real, sizeof real))
            return -1;
    } else {
        snprintf(link, sizeof link, "/proc/self/fd/%d", at);
        ssize_t n = readlink(link, real, sizeof real - 1);
        if (n < 0)
            return -1;
        real[n] = 0;
    }
    if (!is_inside(real))
        return -1;
    strcpy(base, known_as(real));
    return 0;
}

/* The real name of one that the program uses; `to` has room for PATH_MAX bytes. */
static const char *inside(int at, const char *path, char *to)
{
    if (!path || strlen(path) == 0 || strcmp(path, "/dev/null") == 0 || strcmp(path, "/dev/zero") == 0)
        return path;
    int depth = 0;
    strcpy(to, root);
    if (path[0] != '/') {
        char base[PATH_MAX];
        if (!goes_up(path) || base_of(at, base) < 0)
            return path;
        if (append(to, base, &depth) < 0)
            return too_long;
    }
    return append(to, path, &depth) < 0 ? too_long : to;
}

#define NAME_AT(at, path)                                                                                              \
    char real_##path[PATH_MAX];                                                                                        \
    path = inside(at, path, real_##path)
#define NAME(path) NAME_AT(AT_FDCWD, path)

/* --- what the program calls --- */

int selvedge_native_open(const char *path, int flags, ...)
{
    NAME(path);
    MODE_AFTER(flags);
    return open(path, flags, mode);
}

int selvedge_native_open64(const char *path, int flags, ...)
{
    NAME(path);
    MODE_AFTER(flags);
    return open64(path, flags, mode);
}

int selvedge_native_openat(int at, const char *path, int flags, ...)
{
    NAME_AT(at, path);
    MODE_AFTER(flags);
    return openat(at, path, flags, mode);
}

int selvedge_native_openat64(int at, const char *path, int flags, ...)
{
    NAME_AT(at, path);
    MODE_AFTER(flags);
    return openat64(at, path, flags, mode);
}

/* A function `name` with the parameters in parentheses, one of which is the name of a file. */
#define BY_NAME(type, name, parameters, arguments)                                                                     \
    type selvedge_native_##name parameters                                                                             \
    {                                                                                                                  \
        NAME(path);                                                                                                    \
        return name arguments;                                                                                         \
    }
#define BY_NAME_AT(type, name, parameters, arguments)                                                                  \
    type selvedge_native_##name parameters                                                                             \
    {                                                                                                                  \
        NAME_AT(at, path);                                                                                             \
        return name arguments;                                                                                         \
    }

BY_NAME(int, creat, (const char *path, mode_t mode), (path, mode))
BY_NAME(int, creat64, (const char *path, mode_t mode), (path, mode))
BY_NAME(FILE *, fopen, (const char *path, const char *mode), (path, mode))
BY_NAME(FILE *, fopen64, (const char *path, const char *mode), (path, mode))
/* Files of streams of C++, where the program has them. Its address is known only to such a program. */
__attribute__((weak)) void *_ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode(void *, const char *, int);
BY_NAME(void *, _ZNSt13basic_filebufIcSt11char_traitsIcEE4openEPKcSt13_Ios_Openmode,
        (void *buffer, const char *path, int mode), (buffer, path, mode))
BY_NAME(FILE *, freopen, (const char *path, const char *mode, FILE *file), (path, mode, file))
BY_NAME(FILE *, freopen64, (const char *path, const char *mode, FILE *file), (path, mode, file))
BY_NAME(DIR *, opendir, (const char *path), (path))
BY_NAME(int, stat, (const char *path, struct stat *to), (path, to))
BY_NAME(int, stat64, (const char *path, struct stat64 *to), (path, to))
BY_NAME(int, lstat, (const char *path, struct stat *to), (path, to))
BY_NAME(int, lstat64, (const char *path, struct stat64 *to), (path, to))
BY_NAME_AT(int, fstatat, (int at, const char *path, struct stat *to, int flags), (at, path, to, flags))
BY_NAME_AT(int, fstatat64, (int at, const char *path, struct stat64 *to, int flags), (at, path, to, flags))
BY_NAME(int, access, (const char *path, int mode), (path, mode))
BY_NAME(int, euidaccess, (const char *path, int mode), (path, mode))
BY_NAME(int, eaccess, (const char *path, int mode), (path, mode))
BY_NAME_AT(int, faccessat, (int at, const char *path, int mode, int flags), (at, path, mode, flags))
BY_NAME(int, chmod, (const char *path, mode_t mode), (path, mode))
BY_NAME_AT(int, fchmodat, (int at, const char *path, mode_t mode, int flags), (at, path, mode, flags))
BY_NAME(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group))
BY_NAME(int, lchown, (const char *path, uid_t user, gid_t group), (path, user, group))
BY_NAME(int, utime, (const char *path, const struct utimbuf *times), (path, times))
BY_NAME(int, truncate, (const char *path, off_t size), (path, size))
BY_NAME(int, truncate64, (const char *path, off64_t size), (path, size))
BY_NAME(int, mkdir, (const char *path, mode_t mode), (path, mode))
BY_NAME_AT(int, mkdirat, (int at, const char *path, mode_t mode), (at, path, mode))
BY_NAME(int, unlink, (const char *path), (path))
BY_NAME_AT(int, unlinkat, (int at, const char *path, int flags), (at, path, flags))
BY_NAME(int, rmdir, (const char *path), (path))
BY_NAME(int, remove, (const char *path), (path))
BY_NAME(int, chdir, (const char *path), (path))

/* Two names; a link that begins with a slash leads into the private directory as well. */

int selvedge_native_linkat(int at, const char *from, int to_at, const char *to, int flags)
{
    NAME_AT(at, from);
    NAME_AT(to_at, to);
    return linkat(at, from, to_at, to, flags);
}

int selvedge_native_link(const char *from, const char *to)
{
    return selvedge_native_linkat(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int selvedge_native_renameat2(int at, const char *from, int to_at, const char *to, unsigned flags)
{
    NAME_AT(at, from);
    NAME_AT(to_at, to);
    return renameat2(at, from, to_at, to, flags);
}

int selvedge_native_renameat(int at, const char *from, int to_at, const char *to)
{
    return selvedge_native_renameat2(at, from, to_at, to, 0);
}

int selvedge_native_rename(const char *from, const char *to)
{
    return selvedge_native_renameat2(AT_FDCWD, from, AT_FDCWD, to, 0);
}

int selvedge_native_symlinkat(const char *target, int at, const char *path)
{
    char real[PATH_MAX];
    NAME_AT(at, path);
    if (target && target[0] == '/')
        target = inside(AT_FDCWD, target, real);
    return symlinkat(target, at, path);
}

int selvedge_native_symlink(const char *target, const char *path)
{
    return selvedge_native_symlinkat(target, AT_FDCWD, path);
}

/* Names that come back. */

ssize_t selvedge_native_readlinkat(int at, const char *path, char *to, size_t size)
{
    char real[PATH_MAX];
    NAME_AT(at, path);
    if (size == 0)
        return readlinkat(at, path, to, size);
    ssize_t n = readlinkat(at, path, real, sizeof real - 1);
    if (n < 0)
        return n;
    real[n] = 0;
    const char *known = known_as(real);
    size_t length = strlen(known) < size ? strlen(known) : size;
    memcpy(to, known, length);
    return (ssize_t)length;
}

ssize_t selvedge_native_readlink(const char *path, char *to, size_t size)
{
    return selvedge_native_readlinkat(AT_FDCWD, path, to, size);
}

char *selvedge_native_getcwd(char *to, size_t size)
{
    char real[PATH_MAX];
    if (to && size == 0)
        return errno = EINVAL, NULL;
    if (!getcwd(real, sizeof real))
        return NULL;
    const char *known = known_as(real);
    size_t length = strlen(known) + 1;
    if (size > 0 && length > size)
        return errno = ERANGE, NULL;
    if (!to)
        to = malloc(size > 0 ? size : length);
    return to ? memcpy(to, known, length) : NULL;
}

char *selvedge_native_get_current_dir_name(void) { return selvedge_native_getcwd(NULL, 0); }

char *selvedge_native_realpath(const char *path, char *to)
{
    char real[PATH_MAX];
    NAME(path);
    if (!realpath(path, real))
        return NULL;
    const char *known = known_as(real);
    return to ? memcpy(to, known, strlen(known) + 1) : strdup(known);
}

/* Names of temporary files: as the engine makes them (runtime/temporary.c). */

static int make(char *template, int after, int flags, int is_directory)
{
    static unsigned n_made;
    size_t length = strlen(template);
    if (after < 0 || length < 6 + (size_t)after)
        return errno = EINVAL, -1;
    char *digits = template + length - (size_t)after - 6;
    if (memcmp(digits, "XXXXXX", 6) != 0)
        return errno = EINVAL, -1;
    for (;;) {
        unsigned number = __atomic_fetch_add(&n_made, 1, __ATOMIC_RELAXED);
        for (int i = 5; i >= 0; i--, number /= 26)
            digits[i] = (char)('a' + number % 26);
        const char *path = template;
        NAME(path);
        int result = is_directory ? mkdir(path, 0700) : open(path, O_RDWR | O_CREAT | O_EXCL | flags, 0600);
        if (result >= 0 || errno != EEXIST)
            return result;
    }
}

int selvedge_native_mkstemp(char *template) { return make(template, 0, 0, 0); }
int selvedge_native_mkstemp64(char *template) { return make(template, 0, 0, 0); }
int selvedge_native_mkostemp(char *template, int flags) { return make(template, 0, flags, 0); }
int selvedge_native_mkstemps(char *template, int after) { return make(template, after, 0, 0); }
char *selvedge_native_mkdtemp(char *template) { return make(template, 0, 0, 1) < 0 ? NULL : template; }

/* --- the beginning and the end --- */

static void write_all(int file, const unsigned char *from, size_t size)
{
    while (size > 0) {
        ssize_t n = write(file, from, size);
        if (n <= 0)
            sv_diverged("the recorded files cannot be written: %s", strerror(errno));
        from += n;
        size -= (size_t)n;
    }
}

/* The directories above the last part of `path`, and that part as well where `is_whole`. */
static void make_directories(char *path, int is_whole)
{
    for (char *end = path + root_length + 1; (end = strchr(end, '/')); end++) {
        *end = 0;
        mkdir(path, 0755);
        *end = '/';
    }
    if (is_whole)
        mkdir(path, 0755);
}

static void put(const struct sv_file *file)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s%s", root, file->path) >= (int)sizeof path || goes_up(file->path))
        sv_diverged("a recorded file has a name that cannot be given: %s", file->path);
    make_directories(path, file->is_directory);
    if (file->is_directory)
        return;
    int out = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (out < 0)
        sv_diverged("the recorded file %s cannot be written: %s", file->path, strerror(errno));
    write_all(out, sv_file_bytes + file->offset, file->size);
    close(out);
}

static int remove_one(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts, (void)kind, (void)where;
    remove(path);
    return 0;
}

/* Leaves a process behind that removes the directory once this one has ended. */
static void remove_in_the_end(void)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        sv_diverged("no pipe can be made: %s", strerror(errno));
    pid_t child = fork();
    if (child < 0)
        sv_diverged("no process can be started: %s", strerror(errno));
    if (child == 0) {
        char byte;
        setsid();
        for (int number = 0; number < 1024; number++) {
            if (number != ends[0])
                close(number);
        }
        while (read(ends[0], &byte, 1) < 0 && errno == EINTR)
            ;
        nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
        _exit(0);
    }
    close(ends[0]);
    /* The lowest numbers are the program's. */
    if (fcntl(ends[1], F_DUPFD_CLOEXEC, SV_HIGH_DESCRIPTOR) < 0)
        sv_diverged("no descriptor is free: %s", strerror(errno));
    close(ends[1]);
}

void sv_build_world(void)
{
    char path[PATH_MAX];
    if (!sv_has_world)
        return;
    umask(022);
    snprintf(path, sizeof path, "%s/selvedge-world-XXXXXX", sv_temporary && *sv_temporary == '/' ? sv_temporary : "/tmp");
    if (!mkdtemp(path) || !realpath(path, root))
        sv_diverged("no directory for the recorded files can be made: %s", strerror(errno));
    root_length = strlen(root);
    memset(too_long, 'x', sizeof too_long - 1);
    remove_in_the_end();
    static const char *const always[] = {HOME, "/tmp", "/dev"};
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        put(&(struct sv_file){.path = always[i], .is_directory = 1});
    for (size_t i = 0; i < sv_n_files; i++)
        put(&sv_files[i]);
    snprintf(path, sizeof path, "%s/tmp", root);
    chmod(path, 0777);
    snprintf(path, sizeof path, "%s" HOME, root);
    if (chdir(path) < 0)
        sv_diverged("the directory where the program starts cannot be entered: %s", strerror(errno));
}
