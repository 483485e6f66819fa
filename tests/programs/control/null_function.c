// A call through a function pointer that was never set.
//@ verdict: unsafe(memory)
#include "../inputs.h"

static void (*callback)(void);
static int n_calls;
static void count(void) { n_calls++; }

int main(void)
{
    if (__VERIFIER_nondet_int() > 0)
        callback = count;
    callback(); //~ BUG!
    return 0;
}
