// A wait may end without a signal. Who tests the condition again does not care; who does not may find it unmet, but only
// with --spurious.
//@ verdict: safe
//@ rev loop: --spurious
//@ rev once:
//@ clang[once]: -DONCE
//@ rev spurious_once: --spurious
//@ clang[spurious_once]: -DONCE
//@ verdict[spurious_once]: unsafe(assert)
#include "../team.h"
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&mutex);
#ifdef ONCE
    if (!is_ready)
#else
    while (!is_ready)
#endif
        pthread_cond_wait(&condition, &mutex);
    assert(is_ready); //~ BUG!
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_pair(waiter, setter);
    return 0;
}
