// Nobody sends what a thread waits for, if nothing comes from outside either.
//@ verdict: safe
//@ rev plain:
//@ rev none: --signals 0
//@ verdict[none]: unsafe(deadlock)
#include <signal.h>
#include <stddef.h>

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, NULL);
    int number;
    sigwait(&set, &number); //~ BUG! deadlock
    return number == SIGUSR1 ? 0 : 1;
}
