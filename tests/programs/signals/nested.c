// Handlers of different signals interrupt each other, if two signals may come.
//@ verdict: safe
//@ rev plain:
//@ rev two: --signals 2
//@ verdict[two]: unsafe(assert)
#include <assert.h>
#include <signal.h>

static volatile int depth;

static void handler(int number)
{
    (void)number;
    depth++;
    assert(depth == 1); //~ BUG! assert
    depth--;
}

int main(void)
{
    signal(SIGUSR1, handler);
    signal(SIGUSR2, handler);
    return 0;
}
