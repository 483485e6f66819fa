// What another thread slept has passed for all.
//@ verdict: safe
#include "../threads/team.h"
#include <assert.h>
#include <time.h>

static void *rest(void *unused)
{
    struct timespec wanted = {.tv_sec = 1, .tv_nsec = 999999999};
    nanosleep(&wanted, NULL);
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_create(&thread, NULL, rest, NULL);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
    assert(after.tv_sec > before.tv_sec);
    return 0;
}
