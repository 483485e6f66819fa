// Who tries again after a signal, and goes on after a short write, has all of it written in the end.
//@ verdict: safe
//@ flags: --fail io
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

static int put(int file, const char *from, size_t size)
{
    while (size > 0) {
        ssize_t n = write(file, from, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        from += n;
        size -= (size_t)n;
    }
    return 1;
}

int main(void)
{
    int file = open("/tmp/new", O_CREAT | O_TRUNC | O_RDWR, 0600);
    if (file < 0)
        return 1;
    int all = put(file, "abcd", 4);
    assert((lseek(file, 0, SEEK_END) == 4) == all);
    return 0;
}
