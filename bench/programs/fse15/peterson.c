// Peterson's mutual exclusion, one thread ROUNDS times in its critical section, the other one OTHER_ROUNDS times.
// Verdict: safe; unsafe with -DUNSAFE, which gives the turn away too late.
// Algorithm: Peterson (1981), in SV-COMP's pthread-atomic category. Rows petersontrue1-2: twice each; twice and three times.
// Exercises: busy waiting on two variables.
#include "threads.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef OTHER_ROUNDS
#define OTHER_ROUNDS ROUNDS
#endif

static int wants[2], turn, inside;

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument, other = 1 - me;
    for (int i = 0; i < (me ? OTHER_ROUNDS : ROUNDS); i++) {
#ifdef UNSAFE
        turn = other;
        wants[me] = 1;
#else
        wants[me] = 1;
        turn = other;
#endif
        while (wants[other] && turn == other) {
        }
        inside = me;
        assert(inside == me);
        wants[me] = 0;
    }
    return 0;
}

int main(void)
{
    run_pair(work, work);
    return 0;
}
