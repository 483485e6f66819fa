// Readers share the lock and a writer does not; tries and time limits say which of them holds it.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <errno.h>
#include <time.h>

static pthread_rwlock_t lock;
static pthread_rwlock_t fixed = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *while_read(void *unused)
{
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    return unused;
}

static void *while_written(void *unused)
{
    struct timespec until = {.tv_sec = 1};
    assert(pthread_rwlock_tryrdlock(&lock) == EBUSY);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_rwlock_timedrdlock(&lock, &until) == ETIMEDOUT);
    assert(pthread_rwlock_timedwrlock(&lock, &until) == ETIMEDOUT);
    return unused;
}

static void *increment(void *unused)
{
    pthread_rwlock_wrlock(&fixed);
    value++;
    pthread_rwlock_unlock(&fixed);
    return unused;
}

int main(void)
{
    assert(pthread_rwlock_init(&lock, 0) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == 0);
    run_team(1, while_read);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    run_team(1, while_written);
    assert(pthread_rwlock_unlock(&lock) == 0);
    assert(pthread_rwlock_destroy(&lock) == 0);
    run_pair(increment, increment);
    assert(value == 2);
    return 0;
}
