// Only the thread that does not block a signal gets it.
//@ verdict: safe
//@ rev plain:
//@ rev all:
//@ clang[all]: -DALL
//@ verdict[all]: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_t worker;

static void on_usr1(int number)
{
    (void)number;
    assert(!pthread_equal(pthread_self(), worker)); //~ BUG! assert
}

static void *work(void *arg)
{
    return arg;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, on_usr1);
#ifndef ALL
    pthread_sigmask(SIG_BLOCK, &set, NULL);
#endif
    pthread_create(&worker, NULL, work, NULL);
#ifndef ALL
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
#endif
    pthread_join(worker, NULL);
    return 0;
}
