// Handlers run at the end of main in reverse order, also those that a handler registers.
//@ verdict: safe
#include <assert.h>
#include <stdlib.h>

static int n_run;

static void third(void) { assert(n_run++ == 2); }
static void second(void)
{
    assert(n_run++ == 1);
    atexit(third);
}
static void first(void) { assert(n_run++ == 0); }
static void last(void) { assert(n_run == 3); }

int main(void)
{
    atexit(last);
    atexit(second);
    atexit(first);
    return 0;
}
