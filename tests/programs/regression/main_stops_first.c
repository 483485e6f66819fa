// `main` stops before its first visible operation, and a thread that it has started fails all the same.
//@ verdict: unsafe(assert)
//@ flags: --all-bugs
//@ rev assumes:
//@ executions[assumes]: total=1 failed=1
//@ rev fails:
//@ clang[fails]: -DFAILS
//@ executions[fails]: total=2 failed=2
#include <assert.h>
#include <pthread.h>

void __VERIFIER_assume(int);

static void *worker(void *unused)
{
    assert(!"reached"); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
#ifdef FAILS
    assert(!"reached as well"); //~ BUG!
#else
    __VERIFIER_assume(0);
#endif
    return 0;
}
