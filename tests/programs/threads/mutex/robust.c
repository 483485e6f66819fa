// The owner of a robust mutex ends: the next one is told, and repairs what it guards. If it does not say so, the mutex is
// of no use any more.
//@ verdict: safe
#define _GNU_SOURCE
#include "../team.h"
#include <assert.h>
#include <errno.h>

static pthread_mutex_t mutex;
static int left, right;

static void *end_in_the_middle(void *unused)
{
    assert(pthread_mutex_lock(&mutex) == 0);
    left++;
    return unused;
}

static void make_mutex(void)
{
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    pthread_mutexattr_destroy(&attributes);
}

int main(void)
{
    make_mutex();
    run_team(1, end_in_the_middle);
    assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);
    right = left;
    assert(pthread_mutex_consistent(&mutex) == 0);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == 0);
    assert(left == 1 && right == 1);
    assert(pthread_mutex_unlock(&mutex) == 0);

    run_team(1, end_in_the_middle);
    assert(pthread_mutex_trylock(&mutex) == EOWNERDEAD);
    assert(pthread_mutex_unlock(&mutex) == 0);
    assert(pthread_mutex_lock(&mutex) == ENOTRECOVERABLE);
    assert(pthread_mutex_trylock(&mutex) == ENOTRECOVERABLE);
    return 0;
}
