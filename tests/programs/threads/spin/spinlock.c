// Spinlocks of POSIX exclude each other, and a try says whether it got the lock.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <errno.h>

static pthread_spinlock_t lock;
static int counter;

static void *increment(void *unused)
{
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return unused;
}

static void *try_it(void *unused)
{
    assert(pthread_spin_trylock(&lock) == EBUSY);
    return unused;
}

int main(void)
{
    assert(pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE) == 0);
    run_team(3, increment);
    assert(counter == 3);
    assert(pthread_spin_trylock(&lock) == 0);
    run_team(1, try_it);
    pthread_spin_unlock(&lock);
    assert(pthread_spin_destroy(&lock) == 0);
    return 0;
}
