// A write that waits in the middle gives what it has written when a handler runs, with SA_RESTART as well.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev careful:
//@ clang[careful]: -DCAREFUL
//@ verdict[careful]: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int ends[2];

static void on_usr1(int number) { (void)number; }

static void *reads(void *arg)
{
    char bytes[5000] = {0};
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (size_t done = 0; done < sizeof bytes;) {
        ssize_t got = read(ends[0], bytes, sizeof bytes);
        if (got <= 0)
            break;
        done += (size_t)got;
    }
    return arg;
}

int main(void)
{
    char bytes[5000] = {0};
    struct sigaction action = {.sa_flags = SA_RESTART};
    action.sa_handler = on_usr1;
    assert(pipe(ends) == 0);
    sigaction(SIGUSR1, &action, NULL);
    pthread_t thread;
    pthread_create(&thread, NULL, reads, NULL);
    ssize_t n = write(ends[1], bytes, sizeof bytes);
#ifndef CAREFUL
    assert(n == sizeof bytes); //~ BUG! assert
#endif
    assert(n > 0);
    close(ends[1]);
    pthread_join(thread, NULL);
    return 0;
}
