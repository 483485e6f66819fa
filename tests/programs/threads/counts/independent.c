// Threads that write to places of their own: all interleavings are one execution, however many there are.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=1 full=1 blocked=0
//@ rev pair:
//@ clang[pair]: -DTHREADS=2 -DWRITES=100
//@ rev crowd:
//@ clang[crowd]: -DTHREADS=16 -DWRITES=10
#include "../team.h"

#ifndef THREADS
#define THREADS 2
#define WRITES 10
#endif

static volatile int places[THREADS][WRITES];

static void *write_own(void *argument)
{
    for (int i = 0; i < WRITES; i++)
        places[number(argument)][i] = i;
    return 0;
}

int main(void)
{
    run_team(THREADS, write_own);
    return 0;
}
