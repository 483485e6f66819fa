// A signal between looking at a flag and waiting is lost by select, but not by pselect, which unblocks it as it waits.
//@ verdict: safe
//@ flags: --signals 1 --check assert,deadlock
//@ rev gap:
//@ clang[gap]: -DGAP
//@ verdict[gap]: unsafe(deadlock)
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/select.h>

static volatile sig_atomic_t is_told;

static void on_usr1(int number)
{
    (void)number;
    is_told = 1;
}

int main(void)
{
    sigset_t usr1, before;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, &before);
    struct sigaction action = {.sa_handler = on_usr1};
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    while (!is_told) {
#ifdef GAP
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        select(0, NULL, NULL, NULL, NULL); //~ BUG! deadlock
        pthread_sigmask(SIG_BLOCK, &usr1, NULL);
#else
        pselect(0, NULL, NULL, NULL, NULL, &before);
#endif
    }
    return 0;
}
