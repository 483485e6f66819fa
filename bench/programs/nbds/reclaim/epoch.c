/* Epochs.
 *
 * Algorithm: Fraser, "Practical lock-freedom" (2004), §5.2.3. A thread that enters announces the epoch it sees. The epoch may
 * advance when all threads that are inside have announced the present one; so while a thread is inside that entered in epoch
 * e, the epoch is e or e + 1.
 *
 * What a thread retires goes into its bag for the epoch e in which it entered. Threads that can still read it entered in e + 1
 * at the latest, as the epoch is not beyond that when the node is retired. The epoch becomes e + 3 only after all of these
 * have left. Hence four bags for each thread, and the one of epoch e is emptied when its owner sees e + 3 or later.
 *
 * With three bags, as where a node is filed under the epoch at the time of retiring, a thread that entered in e + 1 may still
 * read what is released in e + 2: `bugs/three_epochs.c`. */
#include "internal.h"

#if RECLAIM == RECLAIM_EPOCHS

#ifndef N_EPOCHS
#define N_EPOCHS 4
#endif

/* 0 is outside; else the epoch in which the thread entered, plus one. */
static atomic_uint inside[MAX_THREADS];
static atomic_uint epoch;
/* What was deleted by operations that began in an epoch, modulo N_EPOCHS; each thread has its own. */
static Bag bags[MAX_THREADS][N_EPOCHS];
static unsigned last_seen[MAX_THREADS];

/* Empties the bag whose time has come. A bag that was passed over because epochs went by without us waits for another turn:
   late, but never early. */
static int see_epoch(int thread, unsigned now)
{
    last_seen[thread] = now;
    int n_released = bag_release(&bags[thread][(now + 1) % N_EPOCHS]);
    note_released(thread, n_released);
    return n_released;
}

void reclaim_begin(int thread)
{
    if (!enters(thread))
        return;
    unsigned now;
    do {
        now = epoch;
        inside[thread] = now + 1;
        /* The epoch may have advanced before it was announced. */
    } while (epoch != now);
    if (last_seen[thread] != now)
        see_epoch(thread, now);
}

void reclaim_end(int thread)
{
    if (leaves(thread))
        inside[thread] = 0;
}

static void try_to_advance(void)
{
    unsigned now = epoch;
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        unsigned entered = inside[thread];
        if (entered != 0 && entered != now + 1)
            return;
    }
    atomic_compare_exchange_strong(&epoch, &now, now + 1);
}

void reclaim_retire_with(int thread, void *node, Release *release, void *context)
{
    Bag *bag = &bags[thread][last_seen[thread] % N_EPOCHS];
    note_retired(thread);
    bag_put(bag, (Retired){node, release, context});
    if (bag->n_waiting >= BAG_LIMIT)
        try_to_advance();
}

/* Whoever holds on to a node stays inside. */
int reclaim_pin(int thread, const void *node)
{
    (void)node;
    reclaim_begin(thread);
    return 0;
}

void reclaim_repin(int thread, int pin, const void *node)
{
    (void)thread;
    (void)pin;
    (void)node;
}

void reclaim_unpin(int thread, int pin)
{
    (void)pin;
    reclaim_end(thread);
}

int reclaim_flush(int thread)
{
    int n_released = 0;
    assert(reclaim_depth[thread] == 0);
    if (orphans_are_there()) {
        /* Inside, so that the bag is that of the present epoch: somebody may have entered just now who reads them. */
        reclaim_begin(thread);
        orphans_adopt(&bags[thread][last_seen[thread] % N_EPOCHS]);
        reclaim_end(thread);
    }
    for (int i = 0; i < N_EPOCHS; i++) {
        unsigned before = epoch;
        try_to_advance();
        unsigned now = epoch;
        if (now == before)
            break; /* Somebody is inside. */
        if (now != last_seen[thread])
            n_released += see_epoch(thread, now);
    }
    return n_released;
}

void scheme_leave(int thread)
{
    for (int i = 0; i < N_EPOCHS; i++)
        orphans_leave(&bags[thread][i]);
}

bool scheme_is_idle(int thread)
{
    return inside[thread] == 0;
}

size_t scheme_waiting(int thread)
{
    size_t n = 0;
    for (int i = 0; i < N_EPOCHS; i++)
        n += (size_t)bags[thread][i].n_waiting;
    return n;
}

int scheme_release_all(int thread)
{
    int n_released = 0;
    for (int i = 0; i < N_EPOCHS; i++)
        n_released += bag_release(&bags[thread][i]);
    return n_released;
}

#endif
