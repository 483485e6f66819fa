/* Reclamation of deleted nodes; see reclaim.h. */
#include "reclaim.h"

/* Deleted nodes wait in a bag; a bag that is full gives the wish to release something. */
#ifndef BAG_LIMIT
#define BAG_LIMIT 2
#endif

typedef struct Waiting {
    void *node;
    struct Waiting *next;
} Waiting;

typedef struct {
    Waiting *first;
    int n_waiting;
} Bag;

static void put(Bag *bag, void *node)
{
    Waiting *waiting = obtain(sizeof *waiting);
    waiting->node = node;
    waiting->next = bag->first;
    bag->first = waiting;
    bag->n_waiting++;
}

static int empty(Bag *bag)
{
    int n_released = 0;
    while (bag->first) {
        Waiting *waiting = bag->first;
        bag->first = waiting->next;
        free(waiting->node);
        free(waiting);
        n_released++;
    }
    bag->n_waiting = 0;
    return n_released;
}

#if RECLAIM == 0

static Bag bags[MAX_THREADS];

void reclaim_begin(int thread)
{
    (void)thread;
}

void reclaim_end(int thread)
{
    (void)thread;
}

void reclaim_retire(int thread, void *node)
{
    put(&bags[thread], node);
}

void reclaim_protect(int thread, int slot, void *node)
{
    (void)thread;
    (void)slot;
    (void)node;
}

int reclaim_all(void)
{
    int n_released = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        n_released += empty(&bags[thread]);
    return n_released;
}

#elif RECLAIM == 1

#define N_EPOCHS 3

/* 0 is outside; else the epoch in which the thread entered, plus one. */
static atomic_uint inside[MAX_THREADS];
static atomic_uint epoch;
/* What was deleted in an epoch, modulo three; each thread has its own. */
static Bag bags[MAX_THREADS][N_EPOCHS];
static unsigned last_seen[MAX_THREADS];

void reclaim_begin(int thread)
{
    for (;;) {
        unsigned now = epoch;
        inside[thread] = now + 1;
        /* The epoch may have advanced before it was announced. */
        if (epoch != now)
            continue;
        if (last_seen[thread] != now) {
            /* Two epochs have begun since these were deleted. */
            last_seen[thread] = now;
            empty(&bags[thread][(now + 1) % N_EPOCHS]);
        }
        return;
    }
}

void reclaim_end(int thread)
{
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

void reclaim_retire(int thread, void *node)
{
    Bag *bag = &bags[thread][last_seen[thread] % N_EPOCHS];
    put(bag, node);
    if (bag->n_waiting >= BAG_LIMIT)
        try_to_advance();
}

void reclaim_protect(int thread, int slot, void *node)
{
    (void)thread;
    (void)slot;
    (void)node;
}

int reclaim_all(void)
{
    int n_released = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int i = 0; i < N_EPOCHS; i++)
            n_released += empty(&bags[thread][i]);
    return n_released;
}

#else

static Link hazards[MAX_THREADS][N_HAZARDS];
static Bag bags[MAX_THREADS];

void reclaim_begin(int thread)
{
    (void)thread;
}

void reclaim_end(int thread)
{
    for (int slot = 0; slot < N_HAZARDS; slot++)
        hazards[thread][slot] = 0;
}

static bool is_protected(void *node)
{
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int slot = 0; slot < N_HAZARDS; slot++)
            if (hazards[thread][slot] == (uintptr_t)node)
                return true;
    return false;
}

static void scan(Bag *bag)
{
    Waiting **link = &bag->first;
    while (*link) {
        Waiting *waiting = *link;
        if (is_protected(waiting->node)) {
            link = &waiting->next;
            continue;
        }
        *link = waiting->next;
        free(waiting->node);
        free(waiting);
        bag->n_waiting--;
    }
}

void reclaim_retire(int thread, void *node)
{
    put(&bags[thread], node);
    if (bags[thread].n_waiting >= BAG_LIMIT)
        scan(&bags[thread]);
}

void reclaim_protect(int thread, int slot, void *node)
{
    hazards[thread][slot] = (uintptr_t)node;
}

int reclaim_all(void)
{
    int n_released = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        n_released += empty(&bags[thread]);
    return n_released;
}

#endif
