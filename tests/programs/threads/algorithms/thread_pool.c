// Workers take tasks from a list until it is empty. The first worker sets up a key, each counts its tasks there, and the
// key's destructor adds the counts up. The broken one looks whether there are tasks without the lock.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdlib.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TASKS
#define TASKS 3
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static volatile int n_tasks = TASKS;
static int n_done;

static void add_up(void *counter)
{
    pthread_mutex_lock(&mutex);
    n_done += *(int *)counter;
    pthread_mutex_unlock(&mutex);
    free(counter);
}

static void set_up(void)
{
    pthread_key_create(&key, add_up);
}

static int take_task(void)
{
#ifdef BROKEN
    if (n_tasks == 0)
        return 0;
    pthread_mutex_lock(&mutex);
    n_tasks--;
    pthread_mutex_unlock(&mutex);
    return 1;
#else
    pthread_mutex_lock(&mutex);
    int found = n_tasks > 0;
    if (found)
        n_tasks--;
    pthread_mutex_unlock(&mutex);
    return found;
#endif
}

static void *work(void *unused)
{
    pthread_once(&once, set_up);
    pthread_setspecific(key, calloc(1, sizeof(int)));
    while (take_task()) {
        ++*(int *)pthread_getspecific(key);
#ifdef BROKEN
        assert(n_tasks >= 0); //~ BUG!
#endif
    }
    return unused;
}

int main(void)
{
    run_team(WORKERS, work);
    assert(n_tasks == 0 && n_done == TASKS); //~ BUG!
    return 0;
}
