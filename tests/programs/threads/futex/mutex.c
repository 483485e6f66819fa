// A mutex on a futex: 0 free, 1 taken, 2 taken and somebody may sleep. The broken one wakes nobody.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(deadlock)
#define _GNU_SOURCE
#include "../team.h"
#include <assert.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;
static int counter;

static void lock(void)
{
    int old = 0;
    if (atomic_compare_exchange_strong(&word, &old, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void unlock(void)
{
#ifdef BROKEN
    word = 0;
#else
    if (atomic_exchange(&word, 0) == 2)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
#endif
}

static void *increment(void *unused)
{
    lock();
    counter++;
    unlock();
    return unused;
}

int main(void)
{
    run_team(2, increment);
    assert(counter == 2);
    return 0;
}
