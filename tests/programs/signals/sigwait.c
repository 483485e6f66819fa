// A thread that waits for signals gets what is sent to the process, which everybody blocks.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;
static int got;

static void *waits(void *arg)
{
    int number = 0;
    assert(sigwait(&set, &number) == 0);
    got = number;
    return arg;
}

int main(void)
{
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, waits, NULL);
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    // From outside either may come first.
    assert(got == SIGTERM || got == SIGUSR1);
    return 0;
}
