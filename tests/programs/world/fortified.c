// What a program calls that was compiled with _FORTIFY_SOURCE, or with optimisation; and its name.
//@ flags: --sym-file list=4 --all-bugs
//@ verdict: unsafe(assert)
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char *__progname;
extern int __open_2(const char *path, int flags);
extern ssize_t __read_chk(int file, void *buf, size_t size, size_t room);
extern char *__fgets_chk(char *buf, size_t room, int size, FILE *file);
extern size_t __fread_chk(void *buf, size_t room, size_t size, size_t n, FILE *file);
extern ssize_t __getdelim(char **line, size_t *size, int delimiter, FILE *file);

int main(void)
{
    char buf[8];
    assert(strcmp(__progname, program_invocation_short_name) == 0);
    int number = __open_2("list", O_RDONLY);
    ssize_t n = __read_chk(number, buf, 3, sizeof buf);
    if (n == 3)
        assert(memcmp(buf, "abc", 3) != 0); //~ BUG! assert
    assert(posix_fadvise(number, 0, 0, POSIX_FADV_SEQUENTIAL) == 0);
    assert(posix_fadvise(number + 1, 0, 0, POSIX_FADV_SEQUENTIAL) == EBADF);
    FILE *file = fopen("list", "r");
    if (__fgets_chk(buf, sizeof buf, sizeof buf, file))
        assert(strlen(buf) < 4 || buf[3] == '\n' || buf[0] != 'x' || buf[3] != 'y'); //~ BUG! assert
    char *line = NULL;
    size_t size = 0;
    if (__getdelim(&line, &size, '\n', file) > 0)
        assert(line[0] != 'z'); //~ BUG! assert
    free(line);
    assert(__fread_chk(buf, sizeof buf, 1, sizeof buf, file) < 4);
    if (n == 2)
        __fread_chk(buf, sizeof buf, 1, sizeof buf + 1, file); //~ BUG! assert
    fclose(file);
    return 0;
}
