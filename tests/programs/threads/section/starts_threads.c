// Threads started in an atomic section run when it is over: nobody sees what holds only inside it, and none of them runs
// before the others are there.
//@ verdict: safe
//@ rev none: --reduce none
//@ executions[none]: total=10 full=10 blocked=0
//@ rev dpor: --reduce dpor
//@ executions[dpor]: total=1 full=1 blocked=0
//@ rev ag: --reduce ag
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int n_started;

static void *look(void *unused)
{
    assert(n_started == 2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    __VERIFIER_atomic_begin();
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], 0, look, 0);
        n_started++;
    }
    __VERIFIER_atomic_end();
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
