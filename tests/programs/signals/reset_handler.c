// SA_RESETHAND: the second signal finds the default, which ends the program.
//@ verdict: safe
//@ flags: --signals 0
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static int count;

static void on_usr1(int number)
{
    (void)number;
    count++;
}

int main(void)
{
    struct sigaction action = {.sa_flags = SA_RESETHAND}, old;
    action.sa_handler = on_usr1;
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    assert(count == 1);
    sigaction(SIGUSR1, NULL, &old);
    assert(old.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    assert(0);
}
