// The handler relies on the other order; it runs on exit() with a code as well.
//@ verdict: unsafe(assert)
#include "../inputs.h"
#include <assert.h>
#include <stdlib.h>

static int closed;

static void close_file(void) { closed = 1; }
static void write_file(void) { assert(closed); } //~ BUG!

int main(void)
{
    atexit(close_file);
    atexit(write_file);
    if (__VERIFIER_nondet_int() == 3)
        exit(1);
    _Exit(0);
}
