// A computation in phases: each thread builds on what its neighbour did in the phase before. The broken one forgets to
// wait in between.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef PHASES
#define PHASES 2
#endif

static pthread_barrier_t barrier;
static volatile int done[PHASES + 1][THREADS];

static void *work(void *argument)
{
    int me = number(argument);
    for (int phase = 1; phase <= PHASES; phase++) {
        done[phase][me] = done[phase - 1][(me + 1) % THREADS] + 1;
#ifndef BROKEN
        pthread_barrier_wait(&barrier);
#endif
    }
    return 0;
}

int main(void)
{
    pthread_barrier_init(&barrier, 0, THREADS);
    run_team(THREADS, work);
    for (int i = 0; i < THREADS; i++)
        assert(done[PHASES][i] == PHASES); //~ BUG!
    pthread_barrier_destroy(&barrier);
    return 0;
}
