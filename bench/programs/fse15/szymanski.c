// Szymanski's mutual exclusion for two threads: a waiting room with two doors.
// Verdict: safe; unsafe with -DUNSAFE, which leaves out the wait before the critical section.
// Algorithm: Szymanski (1988), in SV-COMP's pthread-atomic category. Row szymanskitrue: once each.
// Exercises: several waiting loops in sequence on the same variables.
#include "threads.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef OTHER_ROUNDS
#define OTHER_ROUNDS ROUNDS
#endif

/* 0 outside, 1 wants in, 2 waits for others to enter, 3 stands in the doorway, 4 is in the waiting room. */
static int flags[2], inside;

static void enter(int me)
{
    int other = 1 - me;
    flags[me] = 1;
    while (flags[other] >= 3) {
    }
    flags[me] = 3;
    if (flags[other] == 1) {
        flags[me] = 2;
        while (flags[other] != 4) {
        }
    }
    flags[me] = 4;
#ifndef UNSAFE
    if (me == 1)
        while (flags[other] >= 2) {
        }
#endif
}

static void leave(int me)
{
    int other = 1 - me;
    if (me == 0)
        while (2 <= flags[other] && flags[other] <= 3) {
        }
    flags[me] = 0;
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < (me ? OTHER_ROUNDS : ROUNDS); i++) {
        enter(me);
        inside = me;
        assert(inside == me);
        leave(me);
    }
    return 0;
}

int main(void)
{
    run_pair(work, work);
    return 0;
}
