// A loop that keeps the time of the last round does more than wait.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int stop;

static void *set(void *unused)
{
    stop = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec last, now;
    int jumps = 0;
    pthread_create(&thread, NULL, set, NULL);
    clock_gettime(CLOCK_MONOTONIC, &last);
    while (!stop && jumps < 2) {
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec > last.tv_sec + 10)
            jumps++;
        last = now;
    }
    assert(jumps < 2); //~ BUG!
    pthread_join(thread, NULL);
    return 0;
}
