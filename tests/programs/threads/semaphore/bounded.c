// A semaphore of value two lets two threads in at a time.
//@ verdict: safe
//@ rev two:
//@ rev three:
//@ clang[three]: -DROOM=3
//@ verdict[three]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef ROOM
#define ROOM 2
#endif

static sem_t room;
static atomic_int n_inside;

static void *visit(void *unused)
{
    sem_wait(&room);
    assert(++n_inside <= 2); //~ BUG!
    n_inside--;
    sem_post(&room);
    return unused;
}

int main(void)
{
    sem_init(&room, 0, ROOM);
    run_team(3, visit);
    return 0;
}
