// The reference counting of a Bluetooth driver: requests hold the driver while one thread stops it.
// Verdict: unsafe (it looks whether it is stopping before it counts itself in); safe with -DSAFE.
// Algorithm: Qadeer and Wu (PLDI 2004). Row bluetoothbad: two requests of two rounds.
// Exercises: counters changed in one step, waiting for an event.
#include "threads.h"

#ifndef REQUESTS
#define REQUESTS 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif

static int n_pending = 1; /* The driver itself counts as one. */
static int is_stopping, is_drained, is_stopped;

static int __VERIFIER_atomic_add(int *counter, int amount)
{
    return *counter += amount;
}

static void leave(void)
{
    if (__VERIFIER_atomic_add(&n_pending, -1) == 0)
        is_drained = 1;
}

static int enter(void)
{
#ifdef SAFE
    __VERIFIER_atomic_add(&n_pending, 1);
    if (!is_stopping)
        return 1;
    leave();
    return 0;
#else
    if (is_stopping)
        return 0;
    __VERIFIER_atomic_add(&n_pending, 1);
    return 1;
#endif
}

static void *request(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        if (enter()) {
            assert(!is_stopped);
            leave();
        }
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
    pthread_t stopper, requests[REQUESTS];
    start(&stopper, 1, 0, stop);
    start(requests, REQUESTS, 0, request);
    join(&stopper, 1);
    join(requests, REQUESTS);
    return 0;
}
