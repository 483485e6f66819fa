// Threads that spin are woken by writes: their next step could not have come earlier. A reduction that does not know
// loses a third of these executions.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=60 full=60
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_int next_ticket, serving;
static int entered;

static void *worker(void *unused)
{
    (void)unused;
    int mine = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&serving) != mine) {
    }
    entered++;
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(entered == THREADS);
    return 0;
}
