/* What the drivers share: which operations the threads make, and the account of what must be in the structure at the end.
 *
 * Each thread keeps its own account of what it added and took away. Summed up, every key was added once more than removed or
 * as often: else an element was lost, or is there twice. */
#ifndef NBDS_DRIVER_H
#define NBDS_DRIVER_H

#include "common.h"
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 1
#endif
#ifndef KEYS
#define KEYS 2
#endif

enum { INSERT, REMOVE, FIND, N_KINDS };

typedef struct {
    int what;
    Key key;
} Operation;

static int account[THREADS][KEYS + 1];

#ifdef INPUTS
static Operation chosen[THREADS][OPS];

static inline void choose_operations(void)
{
    for (int thread = 0; thread < THREADS; thread++)
        for (int i = 0; i < OPS; i++) {
            unsigned what = __VERIFIER_nondet_uint(), key = __VERIFIER_nondet_uint();
            __VERIFIER_assume(what < N_KINDS);
            __VERIFIER_assume(key >= 1 && key <= KEYS);
            chosen[thread][i] = (Operation){(int)what, key};
        }
}

static inline Operation next_operation(int thread, int i)
{
    return chosen[thread][i];
}
#else
static inline void choose_operations(void)
{
}

/* A fixed mix in which neighbours meet: everybody removes what is there and adds what is not. */
static inline Operation next_operation(int thread, int i)
{
    Key key = (Key)((thread / 2 + i) % KEYS + 1);
    int what = (thread + i) % 2 == 0 ? REMOVE : INSERT;
    if (thread % 3 == 2)
        what = FIND;
    return (Operation){what, key};
}
#endif

static inline Word value_for(Key key)
{
    return (Word)key * 10 + 2;
}

static inline void note_insert(int thread, Key key)
{
    account[thread][key]++;
}

static inline void note_remove(int thread, Key key)
{
    account[thread][key]--;
}

/* How often a key must be there at the end. */
static inline int balance(Key key)
{
    int n = 0;
    for (int thread = 0; thread < THREADS; thread++)
        n += account[thread][key];
    return n;
}

static inline void run_threads(void *(*body)(void *))
{
    pthread_t threads[THREADS];
    choose_operations();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, body, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
}

#endif
