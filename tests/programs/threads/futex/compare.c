// A futex compares before it sleeps, may time out, and wakes nobody if nobody sleeps.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word = 3;

int main(void)
{
    struct timespec soon = {.tv_nsec = 1000};
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 4, 0, 0, 0) == -1 && errno == EAGAIN);
    assert(syscall(SYS_futex, &word, FUTEX_WAIT, 3, &soon, 0, 0) == -1 && errno == ETIMEDOUT);
    assert(syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0) == 0);
    return 0;
}
