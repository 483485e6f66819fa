// Dekker's mutual exclusion, one thread ROUNDS times in its critical section, the other one OTHER_ROUNDS times.
// Verdict: safe; unsafe with -DUNSAFE, which enters without looking at the other's flag.
// Algorithm: Dekker, in SV-COMP's pthread-atomic category. Row dekkertrue: once and three times.
// Exercises: busy waiting on two variables, nested loops that wait.
#include "threads.h"

#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef OTHER_ROUNDS
#define OTHER_ROUNDS ROUNDS
#endif

static int wants[2], turn, inside;

static void enter(int me)
{
    int other = 1 - me;
    wants[me] = 1;
#ifndef UNSAFE
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
        }
    }
#else
    (void)other;
#endif
}

static void leave(int me)
{
    turn = 1 - me;
    wants[me] = 0;
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
