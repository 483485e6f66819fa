// A recursive mutex that is unlocked once too few stays locked: the other thread waits for ever.
//@ verdict: unsafe(deadlock)
#define _GNU_SOURCE
#include "../team.h"

static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *lock_twice(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_pair(lock_twice, lock_twice);
    return 0;
}
