// Philosophers round a table, with a fork between each two. If everybody takes the left fork first, all may hold one and
// wait for the other; if everybody takes the lower one first, somebody can always eat.
//@ verdict: safe
//@ rev ordered:
//@ rev naive:
//@ clang[naive]: -DNAIVE
//@ verdict[naive]: unsafe(deadlock)
#include "../team.h"

#ifndef N
#define N 4
#endif

static pthread_mutex_t forks[N];

static void *eat(void *argument)
{
    int first = number(argument), second = (first + 1) % N;
#ifndef NAIVE
    if (second < first) {
        int lower = second;
        second = first;
        first = lower;
    }
#endif
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return 0;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&forks[i], 0);
    run_team(N, eat);
    return 0;
}
