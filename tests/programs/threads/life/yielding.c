// Yielding and sleeping order nothing.
//@ verdict: unsafe(assert)
#define _GNU_SOURCE
#include "../team.h"
#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static atomic_int is_ready;

static void *prepare(void *unused)
{
    is_ready = 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    struct timespec second = {.tv_sec = 1};
    pthread_create(&thread, 0, prepare, 0);
    sched_yield();
    usleep(1000);
    sleep(1);
    nanosleep(&second, 0);
    assert(is_ready); //~ BUG!
    pthread_join(thread, 0);
    return 0;
}
