// An input that a step only puts into memory has no variable yet when the step is summarised, and is another input the next
// time: after the other side of the branch, `z` is the third input of `main` and not the second.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none --all-bugs
//@ rev dpor: --reduce dpor --all-bugs
//@ rev ag: --all-bugs
//@ rev no_slice: --all-bugs --no-slice
//@ rev summaries: --all-bugs --no-slice --no-dpor
#include "../../inputs.h"
#include <assert.h>
#include <pthread.h>

static int x, w;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    int y, z;
    pthread_create(&thread, 0, set, 0);
    if (__VERIFIER_nondet_int()) {
        w = 0;
    } else {
        w = 1;
        SYMBOLIC(y);
        __VERIFIER_assume(y > 10);
    }
    y = z = 0;
    x = 2;
    SYMBOLIC(z);
    x = 3;
    if (z <= 10)
        assert(w == 0); //~ BUG!
    assert(x > 0);
    return 0;
}
