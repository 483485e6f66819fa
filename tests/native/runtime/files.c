/* Files, names and descriptors: random calls on the run-time's world and on an empty folder of the host. */
#include "check.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

RT(open); RT(openat); RT(creat); RT(close); RT(read); RT(write); RT(pread); RT(pwrite); RT(lseek); RT(ftruncate);
RT(truncate); RT(dup); RT(dup2); RT(dup3); RT(fcntl); RT(unlink); RT(rmdir); RT(remove); RT(mkdir); RT(rename); RT(link);
RT(symlink); RT(readlink); RT(stat); RT(lstat); RT(fstat); RT(access); RT(chdir); RT(opendir); RT(readdir); RT(closedir);
RT(readv); RT(writev); RT(isatty); RT(unlinkat); RT(mkdirat);
RT(fopen); RT(fclose); RT(fgetc); RT(fputc); RT(fputs); RT(fseek); RT(ftell); RT(fread); RT(fwrite); RT(feof); RT(ferror);
RT(rewind); RT(fgets); RT(ungetc); RT(fprintf); RT(fflush); RT(fileno); RT(tmpfile);

static const char *name(void)
{
    static const char *const names[] = {"a",   "b",    "d",    "d/a", "d/b", "d/e", "./a", "d/../b", "a/x",
                                        "d/",  "e//b", "none/x", "..",  ".",   "",    "l",   "d/l",    "l/a"};
    return names[below(sizeof names / sizeof names[0])];
}

/* Compares a result and, if it is a failure, the error. */
#define SAME(call, host_call)                                                                                          \
    do {                                                                                                               \
        errno = rt_errno = 0;                                                                                          \
        long long result = (long long)(call);                                                                          \
        long long expected = (long long)(host_call);                                                                   \
        CHECK(result == expected && (result != -1 || rt_errno == errno), #call ": %lld (%s), host %lld (%s), %s %s", result,   \
              strerror(rt_errno), expected, strerror(errno), first, second);                                             \
    } while (0)

static int same_facts(const struct stat *a, const struct stat *b)
{
    int is_file = S_ISREG(a->st_mode);
    return a->st_mode == b->st_mode && (!is_file || (a->st_size == b->st_size && a->st_nlink == b->st_nlink));
}

static void step(void)
{
    static const int flags[] = {0, O_CREAT, O_CREAT | O_TRUNC, O_CREAT | O_EXCL, O_TRUNC, O_APPEND, O_DIRECTORY,
                                O_CREAT | O_APPEND, O_NOFOLLOW, O_CLOEXEC};
    const char *first = name(), *second = name();
    int fd = (int)below(9), to = (int)below(12) - 1, at = (int)below(12) - 2;
    size_t n = below(9);
    char text[10] = "", a[16] = "", b[16] = "";
    struct stat s = {0}, t = {0};
    random_text(text, n, "xyz");
    if (fd < 3)
        fd = 77;
    if (to >= 0 && to < 3)
        to = 3;
    int how = flags[below(sizeof flags / sizeof flags[0])] | (int)below(3);
    switch (below(26)) {
    case 0: case 1: case 2: SAME(rt_open(first, how, 0644), open(first, how, 0644)); break;
    case 3: SAME(rt_close(fd), close(fd)); break;
    case 4: case 5: SAME(rt_read(fd, a, n), read(fd, b, n)); CHECK(memcmp(a, b, sizeof a) == 0, "read"); break;
    case 6: case 7: SAME(rt_write(fd, text, n), write(fd, text, n)); break;
    case 8: SAME(rt_pread(fd, a, n, at), pread(fd, b, n, at)); CHECK(memcmp(a, b, sizeof a) == 0, "pread"); break;
    case 9: SAME(rt_pwrite(fd, text, n, at), pwrite(fd, text, n, at)); break;
    case 10: SAME(rt_fstat(fd, &s), fstat(fd, &t)); CHECK(same_facts(&s, &t), "fstat: %o %o, %ld %ld, %ld %ld", s.st_mode, t.st_mode, (long)s.st_size, (long)t.st_size, (long)s.st_nlink, (long)t.st_nlink); break;
    case 11: SAME(rt_ftruncate(fd, at), ftruncate(fd, at)); break;
    case 12: SAME(rt_truncate(first, at), truncate(first, at)); break;
    case 13: SAME(rt_dup(fd), dup(fd)); break;
    case 14: SAME(rt_dup2(fd, to), dup2(fd, to)); break;
    case 15: SAME(rt_unlink(first), unlink(first)); break;
    case 16: SAME(rt_rmdir(first), rmdir(first)); break;
    case 17: SAME(rt_mkdir(first, 0755), mkdir(first, 0755)); break;
    case 18: SAME(rt_rename(first, second), rename(first, second)); break;
    case 19: SAME(rt_link(first, second), link(first, second)); break;
    case 20: SAME(rt_symlink(second, first), symlink(second, first)); break;
    case 21: SAME(rt_readlink(first, a, n), readlink(first, b, n)); CHECK(memcmp(a, b, sizeof a) == 0, "readlink"); break;
    case 22: SAME(rt_stat(first, &s), stat(first, &t)); CHECK(same_facts(&s, &t), "stat %s: %o %o", first, s.st_mode, t.st_mode); break;
    case 23: SAME(rt_lstat(first, &s), lstat(first, &t)); CHECK(same_facts(&s, &t), "lstat"); break;
    case 24:
        SAME(rt_fcntl(fd, F_GETFL) == -1 ? -1 : rt_fcntl(fd, F_GETFL) & ~0100000, fcntl(fd, F_GETFL) == -1 ? -1 : fcntl(fd, F_GETFL) & ~0100000);
        SAME(rt_fcntl(fd, F_GETFD), fcntl(fd, F_GETFD));
        break;
    default: {
        int whence = (int)below(3);
        struct stat now;
        /* What the position of a directory means is the file system's business. */
        if (fstat(fd, &now) == 0 && S_ISDIR(now.st_mode))
            break;
        SAME(rt_lseek(fd, at, whence), lseek(fd, at, whence));
    }
    }
}

/* A stream that can be read and written, with the seeks that C asks for between the two. */
static void stream_step(FILE *ours, FILE *theirs, const char *mode)
{
    char text[10], a[16] = "", b[16] = "";
    const char *first = text, *second = mode;
    size_t n = below(9);
    random_text(text, n, "xyz\n");
    int from = (int)below(20) - 2, whence = (int)below(3);
    SAME(rt_fseek(ours, from, whence), fseek(theirs, from, whence));
    if (below(2)) {
        SAME(rt_fwrite(text, 1, n, ours), fwrite(text, 1, n, theirs));
        SAME(rt_fputc('!', ours), fputc('!', theirs));
        SAME(rt_fprintf(ours, "%zu;%s", n, text), fprintf(theirs, "%zu;%s", n, text));
    } else {
        SAME(rt_fgetc(ours), fgetc(theirs));
        SAME(rt_fgets(a, (int)n, ours) == a, fgets(b, (int)n, theirs) == b);
        SAME(rt_fread(a, 1, n, ours), fread(b, 1, n, theirs));
        CHECK(memcmp(a, b, sizeof a) == 0, "bytes of a stream");
        CHECK(!rt_feof(ours) == !feof(theirs), "feof");
    }
    SAME(rt_ftell(ours), ftell(theirs));
    CHECK(!rt_ferror(ours) == !ferror(theirs), "ferror");
}

void check_files(void)
{
    char folder[] = "/tmp/selvedge-files-XXXXXX";
    CHECK(mkdtemp(folder) && chmod(folder, 0755) == 0 && chdir(folder) == 0, "a folder for the comparison");
    umask(022);
    /* Deep enough for links that lead up. */
    for (int i = 0; i < 20; i++)
        CHECK(mkdir("box", 0755) == 0 && chdir("box") == 0 && rt_mkdir("box", 0755) == 0 && rt_chdir("box") == 0, "box");
    close_range(3, ~0u, 0);
    for (int i = 0; i < 60000; i++) {
        step();
        if (i % 200 == 199) {
            for (int fd = 3; fd < 250; fd++) {
                const char *first = "", *second = "";
                SAME(rt_close(fd), close(fd));
            }
        }
    }
    static const char *const modes[] = {"w+", "r+", "a+", "w+x", "r", "w", "a", "q", "", "rb+", "r+e"};
    for (int i = 0; i < 2000; i++) {
        const char *first = below(3) ? "stream" : "other", *second = modes[below(11)];
        FILE *ours, *theirs;
        SAME((ours = rt_fopen(first, second)) ? 0 : -1, (theirs = fopen(first, second)) ? 0 : -1);
        for (int k = 0; ours && k < 8; k++)
            stream_step(ours, theirs, second);
        if (ours)
            SAME(rt_fclose(ours), fclose(theirs));
        if (below(20) == 0)
            SAME(rt_remove(first), remove(first));
    }
    char command[60];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK(chdir("/") == 0 && system(command) == 0, "the folder is removed");
}
