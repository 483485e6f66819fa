// Writing to a pipe that nobody reads: SIGPIPE, and EPIPE if that is ignored.
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

int main(void)
{
    int ends[2];
    signal(SIGPIPE, SIG_IGN);
    assert(pipe(ends) == 0);
    int copy = dup(ends[0]);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == 1);
    close(copy);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    assert(write(ends[0], "x", 1) == -1 && errno == EBADF);
    return 0;
}
