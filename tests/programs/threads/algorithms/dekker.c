// Dekker's mutual exclusion: the first correct one for two threads. The broken one looks before it announces itself.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef VISITS
#define VISITS 1
#endif

static atomic_int wants[2], turn;
static int counter;

static void lock(int me)
{
    int other = 1 - me;
#ifdef BROKEN
    while (wants[other]) {
    }
    wants[me] = 1;
#else
    wants[me] = 1;
    while (wants[other]) {
        if (turn != me) {
            wants[me] = 0;
            while (turn != me) {
            }
            wants[me] = 1;
        }
    }
#endif
}

static void unlock(int me)
{
    turn = 1 - me;
    wants[me] = 0;
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
