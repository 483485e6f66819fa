// What each type of mutex does when its owner locks it again, and when another thread unlocks it.
//@ verdict: safe
#define _GNU_SOURCE
#include "../team.h"
#include <assert.h>
#include <errno.h>

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checked = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static pthread_mutex_t made;
static int counter;

static void *recurse(void *unused)
{
    for (int depth = 0; depth < 3; depth++)
        assert(pthread_mutex_lock(&recursive) == 0);
    assert(pthread_mutex_trylock(&recursive) == 0);
    counter++;
    for (int depth = 0; depth < 4; depth++)
        assert(pthread_mutex_unlock(&recursive) == 0);
    assert(pthread_mutex_unlock(&recursive) == EPERM);
    return unused;
}

static void *intrude(void *unused)
{
    assert(pthread_mutex_unlock(&checked) == EPERM);
    assert(pthread_mutex_trylock(&checked) == EBUSY);
    return unused;
}

int main(void)
{
    run_pair(recurse, recurse);
    assert(counter == 2);

    assert(pthread_mutex_lock(&checked) == 0);
    assert(pthread_mutex_lock(&checked) == EDEADLK);
    run_team(1, intrude);
    assert(pthread_mutex_unlock(&checked) == 0);
    assert(pthread_mutex_unlock(&checked) == EPERM);

    pthread_mutexattr_t attributes;
    int type;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_gettype(&attributes, &type);
    assert(type == PTHREAD_MUTEX_DEFAULT);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&attributes, &type);
    assert(type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&made, &attributes);
    pthread_mutexattr_destroy(&attributes);
    pthread_mutex_lock(&made);
    assert(pthread_mutex_lock(&made) == 0);
    pthread_mutex_unlock(&made);
    pthread_mutex_unlock(&made);
    assert(pthread_mutex_destroy(&made) == 0);
    return 0;
}
