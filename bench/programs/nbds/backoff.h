/* Waiting a little after a lost race, so that the winner's neighbours are not disturbed at once.
 *
 * The time doubles with each loss up to a limit (Anderson 1990). It is a matter of speed alone: without -DBACKOFF nothing is
 * done, and that is what a checker should see, for whom a wait is only more of the same. */
#ifndef NBDS_BACKOFF_H
#define NBDS_BACKOFF_H

#include "common.h"

#define BACKOFF_FIRST 4u
#define BACKOFF_LIMIT 1024u

typedef struct {
    unsigned n_turns;
} Backoff;

static inline Backoff backoff_new(void)
{
    return (Backoff){BACKOFF_FIRST};
}

static inline void backoff_wait(Backoff *backoff)
{
#ifdef BACKOFF
    for (unsigned i = 0; i < backoff->n_turns; i++)
        atomic_signal_fence(memory_order_seq_cst);
    if (backoff->n_turns < BACKOFF_LIMIT)
        backoff->n_turns *= 2;
#else
    (void)backoff;
#endif
}

#endif
