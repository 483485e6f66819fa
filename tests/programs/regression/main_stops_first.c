// `main` contradicts an assumption before its first visible operation; a thread that it has started can fail before.
//@ verdict: unsafe(assert)
//@ executions: total=1 failed=1
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
    __VERIFIER_assume(0);
    return 0;
}
