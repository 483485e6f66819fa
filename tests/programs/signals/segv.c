// A handler of SIGSEGV runs when the program sends that signal; an invalid access is a bug all the same.
//@ verdict: unsafe(memory)
//@ flags: --signals 0
#include <assert.h>
#include <signal.h>
#include <stddef.h>

static volatile int seen;

static void on_segv(int number) { seen = number; }

int main(void)
{
    signal(SIGSEGV, on_segv);
    raise(SIGSEGV);
    assert(seen == SIGSEGV);
    int *p = NULL;
    return *p; //~ BUG! memory
}
