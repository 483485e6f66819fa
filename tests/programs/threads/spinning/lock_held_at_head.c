// Polling with the lock held at the head of the loop: it is given back for a moment in each round, which lets the other
// thread in.
//@ verdict: safe
//@ rev mutex:
//@ rev readers:
//@ clang[readers]: -DREADERS
//@ rev nobody:
//@ clang[nobody]: -DNOBODY
//@ verdict[nobody]: unsafe(livelock)
#include "../team.h"

#ifdef READERS
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_rdlock(&lock)
#define LOCK_TO_WRITE() pthread_rwlock_wrlock(&lock)
#define UNLOCK() pthread_rwlock_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&lock)
#define LOCK_TO_WRITE() pthread_mutex_lock(&lock)
#define UNLOCK() pthread_mutex_unlock(&lock)
#endif

static int is_ready;

static void *poll(void *unused)
{
    LOCK();
    while (!is_ready) {
        UNLOCK();
        LOCK();
    }
    UNLOCK();
    return unused;
}

static void *set(void *unused)
{
    LOCK_TO_WRITE();
#ifndef NOBODY
    is_ready = 1;
#endif
    UNLOCK();
    return unused;
}

int main(void)
{
    run_pair(poll, set);
    return 0;
}
