// SIGRTMIN and SIGRTMAX are functions of glibc; such signals queue up.
//@ verdict: safe
//@ flags: --signals 0
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t count;

static void handler(int number) { count += number == SIGRTMIN + 1; }

int main(void)
{
    assert(SIGRTMIN == 34 && SIGRTMAX == 64);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + 1);
    signal(SIGRTMIN + 1, handler);
    sigprocmask(SIG_BLOCK, &set, NULL);
    raise(SIGRTMIN + 1);
    raise(SIGRTMIN + 1);
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    assert(count == 2);
    return 0;
}
