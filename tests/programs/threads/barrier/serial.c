// In each round of a barrier exactly one thread is told that it is the serial one.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#define THREADS 3
#define ROUNDS 2

static pthread_barrier_t barrier;
static atomic_int n_serial[ROUNDS];

static void *meet(void *unused)
{
    for (int round = 0; round < ROUNDS; round++) {
        int result = pthread_barrier_wait(&barrier);
        assert(result == 0 || result == PTHREAD_BARRIER_SERIAL_THREAD);
        if (result != 0)
            n_serial[round]++;
    }
    return unused;
}

int main(void)
{
    assert(pthread_barrier_init(&barrier, 0, THREADS) == 0);
    run_team(THREADS, meet);
    for (int round = 0; round < ROUNDS; round++)
        assert(n_serial[round] == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
