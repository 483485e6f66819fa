// The reference counting of a Bluetooth driver, modelled by Qadeer and Wu (PLDI 2004): requests hold the driver while one
// thread stops it. The broken one, as it was shipped, looks whether it is stopping before it counts itself in.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef REQUESTS
#define REQUESTS 2
#endif

static atomic_int n_pending = 1; /* The driver itself counts as one. */
static atomic_int is_stopping, is_drained, is_stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&n_pending, 1) == 1)
        is_drained = 1;
}

static int enter(void)
{
#ifdef BROKEN
    if (is_stopping)
        return 0;
    n_pending++;
    return 1;
#else
    n_pending++;
    if (!is_stopping)
        return 1;
    leave();
    return 0;
#endif
}

static void *add_request(void *unused)
{
    if (enter()) {
        assert(!is_stopped); //~ BUG!
        leave();
    }
    return unused;
}

static void *stop(void *unused)
{
    is_stopping = 1;
    leave();
    while (!is_drained) {
    }
    is_stopped = 1;
    return unused;
}

int main(void)
{
    pthread_t threads[1 + REQUESTS];
    pthread_create(&threads[0], 0, stop, 0);
    start_team(threads + 1, REQUESTS, add_request);
    join_team(threads, 1 + REQUESTS);
    return 0;
}
