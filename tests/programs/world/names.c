// Files exist apart from their names: unlinked while open, renamed, linked twice.
//@ verdict: safe
//@ flags: --no-files
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    char buf[8];
    struct stat st;
    int fd = open("a", O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert(write(fd, "abc", 3) == 3);
    assert(fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 3 && (st.st_mode & 0777) == 0600);
    assert(unlink("a") == 0 && access("a", F_OK) == -1 && errno == ENOENT);
    assert(fstat(fd, &st) == 0 && st.st_nlink == 0);
    assert(pread(fd, buf, 8, 0) == 3);
    close(fd);

    assert(mkdir("d", 0755) == 0 && mkdir("d", 0755) == -1 && errno == EEXIST);
    fd = open("d/x", O_CREAT | O_WRONLY, 0644);
    assert(fd >= 0 && write(fd, "1", 1) == 1);
    assert(link("d/x", "y") == 0 && stat("y", &st) == 0 && st.st_nlink == 2);
    assert(rename("d/x", "z") == 0 && stat("d/x", &st) == -1 && errno == ENOENT);
    assert(write(fd, "2", 1) == 1 && stat("z", &st) == 0 && st.st_size == 2);
    assert(rename("z", "y") == 0 && stat("y", &st) == 0);
    assert(rmdir("y") == -1 && errno == ENOTDIR);
    assert(unlink("d") == -1 && errno == EISDIR);
    assert(open("y/x", O_RDONLY) == -1 && errno == ENOTDIR);
    assert(open("d", O_WRONLY) == -1 && errno == EISDIR);
    assert(symlink("../y", "d/s") == 0 && stat("d/s", &st) == 0 && S_ISREG(st.st_mode));
    assert(lstat("d/s", &st) == 0 && S_ISLNK(st.st_mode));
    assert(readlink("d/s", buf, sizeof buf) == 4 && memcmp(buf, "../y", 4) == 0);
    assert(rmdir("d") == -1 && errno == ENOTEMPTY);
    assert(unlink("d/s") == 0 && rmdir("d") == 0);
    assert(open("d/x", O_CREAT | O_WRONLY, 0644) == -1 && errno == ENOENT);
    assert(open("", O_RDONLY) == -1 && errno == ENOENT);
    assert(remove("y") == 0 && remove("y") == -1 && errno == ENOENT);
    return 0;
}
