/* What the programs of this folder have in common: threads in teams, inputs, and steps that are one to the others. */
#ifndef THREADS_H
#define THREADS_H

#include <assert.h>
#include <pthread.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
#ifndef __GENMC_INTERNAL_H__ /* GenMC's headers declare it with another type. */
extern void __VERIFIER_assume(int);
#endif
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

#define MAX_TEAM 16

typedef void *body(void *);

/* Starts `body` in `n` threads, with `from`, `from` + 1, ... as arguments. */
static inline void start(pthread_t *team, int n, int from, body *body)
{
    for (int i = 0; i < n; i++)
        pthread_create(&team[i], 0, body, (void *)(intptr_t)(from + i));
}

static inline void join(pthread_t *team, int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(team[i], 0);
}

/* Runs two functions at the same time. */
static inline void run_pair(body *left, body *right)
{
    pthread_t pair[2];
    start(&pair[0], 1, 0, left);
    start(&pair[1], 1, 1, right);
    join(pair, 2);
}

#endif
