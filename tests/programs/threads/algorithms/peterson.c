// Peterson's mutual exclusion: the turn is given away after announcing oneself. The broken one does it before.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef VISITS
#define VISITS 2
#endif

static atomic_int wants[2], turn;
static atomic_int inside;

static void lock(int me)
{
    int other = 1 - me;
#ifdef BROKEN
    turn = other;
    wants[me] = 1;
#else
    wants[me] = 1;
    turn = other;
#endif
    while (wants[other] && turn == other) {
    }
}

static void unlock(int me)
{
    wants[me] = 0;
}

static void *visit(void *argument)
{
    for (int i = 0; i < VISITS; i++) {
        lock(number(argument));
        inside++;
        assert(inside == 1); //~ BUG!
        inside--;
        unlock(number(argument));
    }
    return 0;
}

int main(void)
{
    run_team(2, visit);
    return 0;
}
