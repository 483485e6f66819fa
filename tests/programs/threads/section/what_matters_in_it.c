// A section stops before its first access that matters; counting (`noise`) does not. A counterexample is followed in steps
// that all count, where the same sections stop earlier: those in which nothing matters come at once, the others in turn.
//@ verdict: unsafe(assert)
//@ rev slice: --all-bugs --reduce ag
//@ executions[slice]: total=3 full=1 failed=1
//@ rev no_summaries: --all-bugs --reduce ag --no-summaries
//@ executions[no_summaries]: total=3 full=2 failed=1
//@ rev no_slice: --all-bugs --reduce ag --no-slice
//@ rev dpor: --all-bugs --reduce dpor
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, noise;

static void count(void)
{
    __VERIFIER_atomic_begin();
    noise = noise + 1;
    __VERIFIER_atomic_end();
}

static void *writer(void *unused)
{
    count();
    __VERIFIER_atomic_begin();
    noise = noise + 1;
    x = 1;
    noise = noise + 1;
    __VERIFIER_atomic_end();
    count();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    count();
    __VERIFIER_atomic_begin();
    noise = noise + 1;
    int before = x;
    __VERIFIER_atomic_end();
    count();
    __VERIFIER_atomic_begin();
    int after = x;
    noise = noise + 1;
    __VERIFIER_atomic_end();
    pthread_join(t, 0);
    assert(before == after); //~ BUG!
    return 0;
}
