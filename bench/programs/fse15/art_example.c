// Two threads move through a small state machine, each step guarded by where the other one is; an input decides how far.
// Verdict: safe; unsafe with -DUNSAFE, which lets the second thread overtake.
// Algorithm: made for this row. The paper names `art-example` without showing it; this one has its size: two threads,
// branches on inputs and on shared numbers. Row art-example.
// Exercises: branches on inputs between shared accesses.
#include "threads.h"

#ifndef STEPS
#define STEPS 3
#endif

static int leader, follower;

static void *lead(void *argument)
{
    int length = (int)(intptr_t)argument;
    for (int i = 0; i < STEPS; i++)
        if (i < length)
            leader = i + 1;
    return 0;
}

static void *follow(void *unused)
{
    for (int i = 0; i < STEPS; i++) {
        int limit = leader;
#ifdef UNSAFE
        if (follower <= limit)
#else
        if (follower < limit)
#endif
            follower++;
        assert(follower <= leader);
    }
    return unused;
}

int main(void)
{
    int length = __VERIFIER_nondet_int();
    pthread_t pair[2];
    pthread_create(&pair[0], 0, lead, (void *)(intptr_t)length);
    start(&pair[1], 1, 0, follow);
    join(pair, 2);
    return 0;
}
