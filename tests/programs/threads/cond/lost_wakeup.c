// The flag is set and the condition signalled without the mutex: the signal may come between the test and the wait.
//@ verdict: unsafe(deadlock)
//@ rev without:
//@ rev with:
//@ clang[with]: -DLOCKED
//@ verdict[with]: safe
#include "../team.h"
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static atomic_int is_ready;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *signaller(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    is_ready = 1;
    pthread_cond_signal(&condition);
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void)
{
    run_pair(waiter, signaller);
    return 0;
}
