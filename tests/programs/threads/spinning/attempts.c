// A lock that counts its attempts and yields now and then is a wait all the same: the count only decides about nothing.
// Where it decides about more, or is used afterwards, it is not.
//@ verdict: safe
//@ rev yields:
//@ executions[yields]: total=4
//@ rev again: --reduce dpor
//@ clang[again]: -DAGAIN
//@ executions[again]: total=4
//@ rev gives_up:
//@ clang[gives_up]: -DGIVES_UP
//@ verdict[gives_up]: unsafe(assert)
//@ rev tells: --reduce dpor --max-steps 200
//@ clang[tells]: -DTELLS
//@ verdict[tells]: unsafe(assert)
//@ rev overflow: --check default,overflow --max-steps 2000
//@ verdict[overflow]: safe(bounded)
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int lock;
static int n, most;

static void acquire(void)
{
    int attempts = 0, rounds = 0;
    while (atomic_exchange(&lock, 1)) {
#ifdef AGAIN
        if (++attempts > 3) {
            usleep(1);
            attempts = 0;
            rounds++;
        }
#else
        if ((++attempts & 7) == 0)
            sched_yield();
#endif
#ifdef GIVES_UP
        if (attempts == 5)
            atomic_store(&lock, 0);
#endif
    }
#ifdef TELLS
    most = attempts;
#endif
    (void)rounds;
}

static void *run(void *arg)
{
    acquire();
    int old = n;
    n = old + 1;
    assert(most < 6);
    atomic_store(&lock, 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    assert(n == 2);
    return 0;
}
