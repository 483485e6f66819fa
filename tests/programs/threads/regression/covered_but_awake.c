// A thread that a summary covers must not sleep below the threads that slept when the summary was made: what these do
// before it was not explored then.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static volatile int y = 1;
static pthread_spinlock_t spin;

static void *w2(void *argument)
{
    __VERIFIER_atomic_begin();
    assert(y <= y + 2);
    __VERIFIER_atomic_end();
    y = y + 1;
    return argument;
}

static void *w1(void *argument)
{
    if (pthread_spin_trylock(&spin) == 0) {
        y = 2;
        pthread_spin_unlock(&spin);
    }
    y = y + 2;
    return argument;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, w1, 0);
    pthread_create(&t2, 0, w2, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    assert(y != 2); //~ BUG!
    return 0;
}
