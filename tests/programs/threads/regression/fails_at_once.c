// A thread fails without a visible step, while another that was started before it waits: what led up to the failure is
// the local work of both.
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *waits(void *unused)
{
    sem_wait(&never);
    return unused;
}

static void *fails(void *unused)
{
    assert(unused != 0); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_t first, second;
    sem_init(&never, 0, 0);
    pthread_create(&first, 0, waits, 0);
    pthread_create(&second, 0, fails, 0);
    return 0;
}
