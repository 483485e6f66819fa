// With `-fexceptions` the handlers of `pthread_cleanup_push` are found by unwinding; they run all the same.
//@ verdict: safe
//@ clang: -fexceptions
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int n_handled;

static void unlock(void *arg)
{
    n_handled++;
    pthread_mutex_unlock(arg);
}

static void *run(void *arg)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    pthread_mutex_lock(&mutex);
    assert(result == PTHREAD_CANCELED && n_handled == 1);
    return 0;
}
