// Readers and writers with the read-write lock of POSIX. In the broken one the writer locks as a reader.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>

#ifndef READERS
#define READERS 2
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int left, right;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(left == right); //~ BUG!
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
#ifdef BROKEN
    pthread_rwlock_rdlock(&lock);
#else
    pthread_rwlock_wrlock(&lock);
#endif
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[2 + READERS];
    pthread_create(&threads[0], 0, writer, 0);
    start_team(threads + 1, READERS, reader);
    pthread_create(&threads[1 + READERS], 0, writer, 0);
    join_team(threads, 2 + READERS);
    assert(left == 2);
    return 0;
}
