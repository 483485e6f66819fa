// Cleanup handlers run on cancellation, innermost first, and give back what the thread holds; values of keys go to their
// destructors afterwards. The broken one has no handler and keeps the mutex.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(deadlock)
#include "../team.h"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int n_handlers, n_destructors;

static void unlock(void *argument)
{
    n_handlers++;
    pthread_mutex_unlock(argument);
}

static void release(void *argument)
{
    assert(n_handlers == 0);
    n_handlers++;
    free(argument);
}

static void destroy(void *argument)
{
    (void)argument;
#ifndef BROKEN
    assert(n_handlers == 2);
#endif
    n_destructors++;
}

static void *work(void *unused)
{
    pthread_setspecific(key, &key);
    pthread_mutex_lock(&mutex);
#ifdef BROKEN
    (void)unlock;
    (void)release;
    sleep(1);
    pthread_mutex_unlock(&mutex);
#else
    pthread_cleanup_push(unlock, &mutex);
    void *block = malloc(16);
    pthread_cleanup_push(release, block);
    for (;;)
        sleep(1);
    pthread_cleanup_pop(1);
    pthread_cleanup_pop(1);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    pthread_mutex_lock(&mutex);
    assert(n_destructors == 1);
#ifndef BROKEN
    assert(result == PTHREAD_CANCELED && n_handlers == 2);
#endif
    pthread_mutex_unlock(&mutex);
    return 0;
}
