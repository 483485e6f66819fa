// A thread already waits for the robust mutex when its owner ends: it is woken and told.
//@ verdict: safe
#define _GNU_SOURCE
#include "../team.h"
#include <assert.h>
#include <errno.h>

static pthread_mutex_t mutex;
static int n_deaths;

static void *lock_and_end(void *unused)
{
    if (pthread_mutex_lock(&mutex) == EOWNERDEAD) {
        n_deaths++;
        pthread_mutex_consistent(&mutex);
    }
    return unused;
}

int main(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    run_pair(lock_and_end, lock_and_end);
    assert(n_deaths == 1);
    return 0;
}
