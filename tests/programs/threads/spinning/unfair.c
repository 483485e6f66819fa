// A loop that counts while it waits is no mere wait, and has executions without end. The others get their turn
// nevertheless, and the error behind the loop is found.
//@ verdict: unsafe(assert)
//@ flags: --max-runs 5
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int stop;
static long work;

static void *worker(void *unused)
{
    (void)unused;
    while (!stop)
        work++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    stop = 1;
    pthread_join(thread, NULL);
    assert(work < 0); //~ BUG!
    return 0;
}
