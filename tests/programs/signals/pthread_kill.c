// A signal to another thread is handled there, at some time after it was sent.
//@ verdict: safe
//@ flags: --signals 0
//@ rev plain:
//@ rev early:
//@ clang[early]: -DEARLY
//@ verdict[early]: unsafe(assert)
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static pthread_t worker;
static volatile sig_atomic_t seen;

static void on_usr1(int number)
{
    (void)number;
    assert(pthread_equal(pthread_self(), worker));
    seen = 1;
}

static void *work(void *arg)
{
    worker = pthread_self();
    while (!seen)
        ;
    return arg;
}

int main(void)
{
    signal(SIGUSR1, on_usr1);
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    worker = thread;
    assert(pthread_kill(thread, 0) == 0);
    assert(pthread_kill(thread, -1) == EINVAL);
    assert(pthread_kill(thread, SIGUSR1) == 0);
#ifdef EARLY
    assert(seen); //~ BUG! assert
#endif
    pthread_join(thread, NULL);
    assert(seen);
    return 0;
}
