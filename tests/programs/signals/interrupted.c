// A wait for a semaphore that a handler interrupts fails with EINTR, unless the handler has SA_RESTART.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev restart:
//@ clang[restart]: -DFLAGS=SA_RESTART
//@ verdict[restart]: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#ifndef FLAGS
#define FLAGS 0
#endif

static sem_t ready;

static void on_usr1(int number) { (void)number; }

static void *post(void *arg)
{
    sem_post(&ready);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_flags = FLAGS};
    action.sa_handler = on_usr1;
    sem_init(&ready, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, post, NULL);
    int result = sem_wait(&ready);
    assert(result == 0 || errno == EINTR);
    assert(result == 0); //~ BUG! assert
    pthread_join(thread, NULL);
    return 0;
}
