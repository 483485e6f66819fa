/* Threads in teams: most fixtures only differ in what the threads do. */
#ifndef TEAM_H
#define TEAM_H

#include <pthread.h>
#include <stdint.h>

#define MAX_TEAM 32

typedef void *body(void *);

/* Starts `body` in `n` threads, with 0 to n - 1 as arguments. */
static inline void start_team(pthread_t *team, int n, body *body)
{
    for (intptr_t i = 0; i < n; i++)
        pthread_create(&team[i], 0, body, (void *)i);
}

static inline void join_team(pthread_t *team, int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(team[i], 0);
}

/* Runs `body` in `n` threads at the same time. */
static inline void run_team(int n, body *body)
{
    pthread_t team[MAX_TEAM];
    start_team(team, n, body);
    join_team(team, n);
}

/* Runs two functions at the same time. */
static inline void run_pair(body *left, body *right)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, left, 0);
    pthread_create(&threads[1], 0, right, 0);
    join_team(threads, 2);
}

/* The number that `start_team` gave to a thread. */
static inline int number(void *argument)
{
    return (int)(intptr_t)argument;
}

#endif
