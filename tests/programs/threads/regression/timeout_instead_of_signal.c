// A timed wait that was woken by a signal could have timed out before the signaller took the mutex. (It was taken for a
// step that has to come after the signal, so that the other order was not tried where the signal came first.)
//@ verdict: unsafe(assert)
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev source: --reduce dpor --source-sets
//@ rev waiter_first:
//@ clang[waiter_first]: -DWAITER_FIRST
#include <assert.h>
#include <pthread.h>

static int ready;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *set(void *unused)
{
    pthread_mutex_lock(&mutex);
    ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *wait(void *unused)
{
    struct timespec soon = {0, 0};
    pthread_mutex_lock(&mutex);
    if (!ready)
        assert(pthread_cond_timedwait(&condition, &mutex, &soon) == 0);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t setter, waiter;
#ifdef WAITER_FIRST
    pthread_create(&waiter, 0, wait, 0);
    pthread_create(&setter, 0, set, 0);
#else
    pthread_create(&setter, 0, set, 0);
    pthread_create(&waiter, 0, wait, 0);
#endif
    pthread_join(setter, 0);
    pthread_join(waiter, 0);
    return 0;
}
