// Without a handler a signal ends the program: what comes after is not reached.
//@ verdict: safe
//@ flags: --signals 0
#include <assert.h>
#include <signal.h>

int main(void)
{
    raise(SIGTERM);
    assert(0);
}
