// A wait with a time limit ends with or without a signal, and holds the mutex again in both cases.
//@ verdict: safe
//@ rev either:
//@ rev signalled:
//@ clang[signalled]: -DSIGNALLED
//@ verdict[signalled]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <errno.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready, inside;

static void *waiter(void *unused)
{
    struct timespec until = {.tv_sec = 1};
    pthread_mutex_lock(&mutex);
    int result = 0;
    while (!is_ready && result == 0)
        result = pthread_cond_timedwait(&condition, &mutex, &until);
    assert(inside == 0);
    inside++;
    assert(result == 0 || result == ETIMEDOUT);
#ifdef SIGNALLED
    assert(result == 0); //~ BUG!
#endif
    inside--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signaller(void *unused)
{
    pthread_mutex_lock(&mutex);
    inside++;
    is_ready = 1;
    pthread_cond_signal(&condition);
    inside--;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_pair(waiter, signaller);
    return 0;
}
