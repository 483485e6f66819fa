// What the last round left in a local is read after the loop.
//@ verdict: unsafe(assert)
//@ flags: --max-runs 2000
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stop;
static atomic_long seen;

static void *set(void *unused)
{
    seen = time(NULL);
    stop = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec now = {0, 0};
    pthread_create(&thread, NULL, set, NULL);
    while (!stop)
        clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec <= seen); //~ BUG!
    pthread_join(thread, NULL);
    return 0;
}
