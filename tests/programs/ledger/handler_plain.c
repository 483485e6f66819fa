// A handler counts in a variable that a compiler may keep in a register while the signal comes.
//@ verdict: safe
//@ assumes: language.handler-variables world.signals-bound
#include <assert.h>
#include <signal.h>

static int count;

static void on_signal(int signal)
{
    (void)signal;
    count++;
}

int main(void)
{
    signal(SIGINT, on_signal);
    assert(count <= 1);
    return 0;
}
