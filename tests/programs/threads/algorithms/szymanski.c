// Szymanski's mutual exclusion: a waiting room with a door that closes while those inside are served.
// The broken one forgets that lower numbers go first: both may be in, or one leaves before the other has seen the door
// closed.
//@ verdict: safe
//@ rev correct:
//@ rev broken: --all-bugs
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert,livelock)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef VISITS
#define VISITS 1
#endif

enum { OUTSIDE, WANTS_IN, AT_DOOR, IN_DOORWAY, DOOR_CLOSED };

static atomic_int flags[2];
static int counter;

static void lock(int me)
{
    int other = 1 - me;
    flags[me] = WANTS_IN;
    while (flags[other] >= IN_DOORWAY) {
    }
    flags[me] = IN_DOORWAY;
    if (flags[other] == WANTS_IN) {
        flags[me] = AT_DOOR;
        while (flags[other] != DOOR_CLOSED) { //~ BUG! livelock
        }
    }
    flags[me] = DOOR_CLOSED;
#ifndef BROKEN
    if (other < me) {
        while (flags[other] >= AT_DOOR) {
        }
    }
#endif
}

static void unlock(int me)
{
    int other = 1 - me;
    if (other > me) {
        for (;;) {
            int theirs = flags[other];
            if (theirs != AT_DOOR && theirs != IN_DOORWAY)
                break;
        }
    }
    flags[me] = OUTSIDE;
}

static void *increment(void *argument)
{
    for (int i = 0; i < VISITS; i++) {
        lock(number(argument));
        counter++;
        unlock(number(argument));
    }
    return 0;
}

int main(void)
{
    run_team(2, increment);
    assert(counter == 2 * VISITS); //~ BUG!
    return 0;
}
