// A handler may run between any two statements: in the middle of an update here.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev off: --signals 0
//@ verdict[off]: safe
#include <assert.h>
#include <signal.h>

static volatile int a, b;

static void on_term(int number)
{
    (void)number;
    assert(a == b); //~ BUG! assert
}

int main(void)
{
    signal(SIGTERM, on_term);
    a = 1;
    b = 1;
    return 0;
}
