// A lock by exchange: spinning writes the value that is there, which must neither end the wait nor be a race.
//@ verdict: safe
//@ flags: --check default,race
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int lock;
static int n;

static void *worker(void *unused)
{
    (void)unused;
    while (atomic_exchange(&lock, 1)) {
    }
    n++;
    atomic_store(&lock, 0);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    assert(n == 2);
    return 0;
}
