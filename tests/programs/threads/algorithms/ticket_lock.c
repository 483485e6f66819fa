// A ticket lock, first come first served. In the broken one drawing a ticket is a read and a write:
// two threads may hold the same one, and go in together or one after the other is for ever too late.
//@ verdict: safe
//@ rev correct:
//@ rev broken: --all-bugs
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert,livelock)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 3
#endif

static atomic_int next_ticket, now_serving;
static int counter;

static int draw(void)
{
#ifdef BROKEN
    int ticket = next_ticket;
    next_ticket = ticket + 1;
    return ticket;
#else
    return atomic_fetch_add(&next_ticket, 1);
#endif
}

static void *increment(void *unused)
{
    int ticket = draw();
    while (now_serving != ticket) { //~ BUG! livelock
    }
    counter++;
    now_serving = ticket + 1;
    return unused;
}

int main(void)
{
    run_team(THREADS, increment);
    assert(counter == THREADS); //~ BUG!
    return 0;
}
