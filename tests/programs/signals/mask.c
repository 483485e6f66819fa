// While its signal is blocked a handler does not run; it does before, and after.
//@ verdict: safe
//@ executions: total=4
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static volatile int a, b;

static void on_term(int number)
{
    assert(number == SIGTERM);
    assert(a == b);
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_handler = on_term;
    assert(sigaction(SIGTERM, &action, NULL) == 0);
    sigset_t set, before;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &before);
    assert(!sigismember(&before, SIGTERM));
    a = 1;
    b = 1;
    sigprocmask(SIG_SETMASK, &before, NULL);
    return 0;
}
