// An alarm goes off at any time after it was set, once; then nothing ends the wait.
//@ verdict: safe
//@ flags: --signals 0
//@ rev plain:
//@ rev twice:
//@ clang[twice]: -DTWICE
//@ verdict[twice]: unsafe(deadlock)
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t rang;

static void on_alarm(int number)
{
    (void)number;
    rang++;
}

int main(void)
{
    signal(SIGALRM, on_alarm);
    assert(alarm(0) == 0);
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigprocmask(SIG_BLOCK, &set, &old);
    alarm(2);
    assert(rang == 0);
    sigsuspend(&old);
    assert(rang == 1);
#ifdef TWICE
    pause(); //~ BUG! deadlock
#endif
    return 0;
}
