// A handler starts with arithmetic to nearest, whatever it interrupts: not modelled, so the verdict is unknown.
//@ verdict: unknown
#include <assert.h>
#include <fenv.h>
#include <signal.h>

static volatile int mode;

static void handler(int signal)
{
    (void)signal;
    mode = fegetround();
}

int main(void)
{
    fesetround(FE_UPWARD);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(mode == FE_UPWARD);
    return 0;
}
