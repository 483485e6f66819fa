// With --fail io every call about files may fail, with each error that a program can tell apart.
//@ flags: --no-files --fail io --all-bugs
//@ verdict: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void make(void)
{
    int file = open("new", O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (file < 0) {
        assert(errno != EACCES); //~ BUG! assert
        assert(errno != EMFILE); //~ BUG! assert
        assert(errno != ENOSPC); //~ BUG! assert
        assert(errno != EINTR);  //~ BUG! assert
        return;
    }
    ssize_t n = write(file, "ab", 2);
    if (n < 0) {
        assert(errno != ENOSPC); //~ BUG! assert
        assert(errno != EIO);    //~ BUG! assert
        assert(errno == EINTR);
    } else {
        assert(n == 2); //~ BUG! assert
    }
    /* It is closed even so. */
    int closed = close(file);
    assert(close(file) == -1 && errno == EBADF);
    assert(closed == 0); //~ BUG! assert
}

static void get(void)
{
    char c;
    int file = open("/dev/zero", O_RDONLY);
    if (file < 0) {
        assert(errno == EACCES || errno == EMFILE || errno == EINTR);
        return;
    }
    if (read(file, &c, 1) != 1) {
        assert(errno != EIO); //~ BUG! assert
        assert(errno == EINTR);
    }
}

static void name(void)
{
    if (mkdir("/tmp/a", 0700) != 0) {
        assert(errno == ENOSPC);
        return;
    }
    if (rename("/tmp/a", "/tmp/b") != 0) {
        assert(errno == EXDEV);
        return;
    }
    struct stat facts;
    if (rmdir("/tmp/b") != 0)
        assert(errno == EBUSY && stat("/tmp/b", &facts) == 0);
    else
        assert(stat("/tmp/b", &facts) == -1 && errno == ENOENT);
}

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    switch (__VERIFIER_nondet_int()) {
    case 0: make(); break;
    case 1: get(); break;
    default: name(); break;
    }
    return 0;
}
