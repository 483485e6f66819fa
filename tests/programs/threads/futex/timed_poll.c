// A loop of futex waits that may time out.
//@ verdict: safe
#define _GNU_SOURCE
#include "../team.h"
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *waiter(void *unused)
{
    struct timespec soon = {.tv_nsec = 1000};
    while (word == 0)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, &soon, 0, 0);
    return unused;
}

static void *setter(void *unused)
{
    word = 1;
    return unused;
}

int main(void)
{
    run_pair(waiter, setter);
    return 0;
}
