// A loop that a flag or the clock ends: both are explored, and neither goes on for ever.
//@ rev safe:
//@ verdict[safe]: safe
//@ rev late:
//@ clang[late]: -DLATE
//@ verdict[late]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int flag;

static void *set(void *unused)
{
    flag = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec start, now;
    pthread_create(&thread, NULL, set, NULL);
    clock_gettime(CLOCK_MONOTONIC, &start);
    do {
        usleep(1000);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec < start.tv_sec + 5 && !flag);
#ifdef LATE
    assert(flag);
#endif
    assert(flag || now.tv_sec >= start.tv_sec + 5);
    pthread_join(thread, NULL);
    return 0;
}
