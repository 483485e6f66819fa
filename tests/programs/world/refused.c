// What the system refuses, and why: as Linux and glibc have it, also where POSIX leaves the order of checks open.
//@ verdict: safe
//@ flags: --no-files
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int fails(int result, int error)
{
    int is_it = result == -1 && errno == error;
    errno = 0;
    return is_it;
}

int main(void)
{
    // A directory is not made by open.
    assert(fails(open("a", O_CREAT | O_DIRECTORY, 0755), EINVAL));
    assert(fails(access("a", F_OK), ENOENT));

    // Where to seek from is looked at first.
    int ends[2];
    assert(pipe(ends) == 0);
    assert(fails((int)lseek(ends[0], 0, 9), EINVAL));
    assert(fails((int)lseek(ends[0], 0, SEEK_SET), ESPIPE));
    assert(fails(pipe2(ends, -1), EINVAL));

    // Devices are a file system of their own, and not the program's.
    int fd = open("a", O_CREAT | O_RDWR, 0644);
    assert(fd >= 0 && write(fd, "7\n", 2) == 2);
    assert(fails((int)lseek(fd, LONG_MAX, SEEK_CUR), EINVAL));
    assert(fails(rename("a", "/dev/a"), EXDEV));
    assert(fails(rename("/dev/null", "b"), EXDEV));
    assert(fails(link("a", "/dev/a"), EXDEV));
    assert(fails(link("a", "/dev/null"), EEXIST));
    assert(fails(unlink("/dev/null"), EACCES));
    assert(fails(chmod("/dev/null", 0600), EPERM));
    assert(fails(open("/dev/a", O_CREAT | O_WRONLY, 0644), EACCES));
    assert(rename("a", "./b") == 0);

    // They have no places, and nothing to be kept.
    int null = open("/dev/null", O_RDWR);
    assert(null >= 0 && lseek(null, 5, SEEK_SET) == 0 && lseek(null, -5, SEEK_SET) == 0 && lseek(null, 5, SEEK_END) == 0);
    assert(fails(fsync(null), EINVAL));
    assert(fails((int)lseek(null, 0, 9), EINVAL));

    // Who only appends is at the end at once, also by a descriptor.
    FILE *end = fdopen(open("b", O_RDWR), "a");
    assert(end && ftell(end) == 2 && fclose(end) == 0);

    // scanf does not mark a stream that cannot be read, other calls do; getline does not go on after a failure.
    FILE *f = fopen("b", "a");
    int number = 1;
    assert(f && fscanf(f, "%d", &number) == EOF && errno == EBADF && !ferror(f) && number == 1);
    assert(fgetc(f) == EOF && ferror(f));
    fclose(f);
    f = fopen("b", "r");
    assert(f && fputc('x', f) == EOF && ferror(f));
    char *line = NULL;
    size_t room = 0;
    assert(getline(&line, &room, f) == -1 && line == NULL && !feof(f));
    clearerr(f);
    assert(getline(&line, &room, f) == 2 && line[0] == '7');
    free(line);
    fclose(f);
    return 0;
}
