// The handler of SIGPIPE runs before the write returns.
//@ verdict: unsafe(assert)
//@ flags: --signals 0
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static void on_pipe(int number) { seen = number; }

int main(void)
{
    int ends[2];
    signal(SIGPIPE, on_pipe);
    pipe(ends);
    close(ends[0]);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    assert(seen == 0); //~ BUG! assert
    return 0;
}
