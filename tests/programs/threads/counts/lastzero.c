// One thread looks for the last zero of an array from behind while N others each set one element from its neighbour.
// Which elements the searcher reads depends on the schedule, so a reduction that looks one step back only starts
// executions in vain. Described by Abdulla, Aronis, Jonsson and Sagonas (POPL 2014).
//@ verdict: safe
//@ flags: --reduce dpor
//@ rev n3:
//@ clang[n3]: -DN=3
//@ executions[n3]: total=12 full=12 blocked=0
//@ rev n10:
//@ clang[n10]: -DN=10
//@ executions[n10]: total=3328 full=3328 blocked=0
#include "../team.h"
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int array[N + 1];

static void *search(void *unused)
{
    int last = N;
    while (array[last] != 0)
        last--;
    return unused;
}

static void *set(void *argument)
{
    int i = number(argument) + 1;
    array[i] = array[i - 1] + 1;
    return 0;
}

int main(void)
{
    pthread_t searcher, setters[N];
    pthread_create(&searcher, 0, search, 0);
    start_team(setters, N, set);
    pthread_join(searcher, 0);
    join_team(setters, N);
    return 0;
}
