// Two semaphores pass the turn between two threads: there is one execution.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=1 full=1 blocked=0
#include "../team.h"
#include <assert.h>
#include <semaphore.h>

static sem_t ping, pong;
static int value;

static void *even(void *unused)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&ping);
        assert(value == 2 * i);
        value++;
        sem_post(&pong);
    }
    return unused;
}

static void *odd(void *unused)
{
    for (int i = 0; i < 3; i++) {
        sem_wait(&pong);
        assert(value == 2 * i + 1);
        value++;
        sem_post(&ping);
    }
    return unused;
}

int main(void)
{
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    run_pair(even, odd);
    assert(value == 6);
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
