// A lock with a time limit fails only if somebody else holds the mutex when the time is over.
//@ verdict: safe
//@ rev locked:
//@ rev always:
//@ clang[always]: -DALWAYS
//@ verdict[always]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <errno.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *lock_in_time(void *unused)
{
    struct timespec until = {.tv_sec = 1};
    int result = pthread_mutex_timedlock(&mutex, &until);
#ifdef ALWAYS
    assert(result == 0); //~ BUG!
#endif
    assert(result == 0 || result == ETIMEDOUT);
    if (result == 0)
        pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    struct timespec until = {.tv_sec = 1};
    assert(pthread_mutex_timedlock(&mutex, &until) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    run_pair(lock_in_time, lock_in_time);
    return 0;
}
