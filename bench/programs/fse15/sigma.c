// Each thread is to write its own element, but reads the index when it runs, not when it was started.
// Verdict: unsafe; safe with -DSAFE, which hands the index over.
// Algorithm: sigma of SV-COMP's pthread category. Rows sigmafalse1-3: THREADS = 2, 3, 4.
// Exercises: writes through a shared index, threads that run while others are being started.
#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif

static int elements[THREADS];
static int next = -1;

static void *mark(void *argument)
{
#ifdef SAFE
    elements[(intptr_t)argument] = 1;
#else
    (void)argument;
    elements[next] = 1;
#endif
    return 0;
}

int main(void)
{
    pthread_t team[THREADS];
    for (int i = 0; i < THREADS; i++) {
        next++;
        start(&team[i], 1, i, mark);
    }
    join(team, THREADS);
    int sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += elements[i];
    assert(sum == THREADS);
    return 0;
}
