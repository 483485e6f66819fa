// Descriptors: two on one description share its position; the lowest free number is taken; dup2 moves stdout.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void)
{
    char buf[16];
    int fd = open("f", O_RDWR | O_CREAT | O_TRUNC, 0644), other = dup(fd);
    assert(fd == 3 && other == 4);
    assert(write(fd, "ab", 2) == 2 && write(other, "cd", 2) == 2 && lseek(fd, 0, SEEK_CUR) == 4);
    assert(fcntl(fd, F_DUPFD, 10) == 10 && close(fd) == 0);
    assert(open("f", O_RDONLY | O_CLOEXEC) == 3);
    assert(fcntl(3, F_GETFD) == FD_CLOEXEC && (fcntl(3, F_GETFL) & O_ACCMODE) == O_RDONLY);
    assert(fcntl(4, F_GETFD) == 0 && (fcntl(4, F_GETFL) & O_ACCMODE) == O_RDWR);
    assert(dup(77) == -1 && errno == EBADF && dup2(4, -1) == -1 && errno == EBADF);

    int saved = dup(1);
    assert(dup2(4, 1) == 1 && close(4) == 0);
    printf("<%d>", 7);
    puts("");
    assert(dup2(saved, 1) == 1);
    printf("on the console\n");
    assert(pread(3, buf, sizeof buf, 0) == 8 && memcmp(buf, "abcd<7>\n", 8) == 0);
    return 0;
}
