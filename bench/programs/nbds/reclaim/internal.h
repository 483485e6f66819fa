/* What the files of the reclamation library share. */
#ifndef NBDS_RECLAIM_INTERNAL_H
#define NBDS_RECLAIM_INTERNAL_H

#include "../reclaim.h"

/* A bag that has as many nodes gives the wish to release something. */
#ifndef BAG_LIMIT
#define BAG_LIMIT 2
#endif
/* Nodes of one batch. */
#ifndef BATCH_SIZE
#define BATCH_SIZE 4
#endif

/* A node that waits. */
typedef struct {
    void *node;
    Release *release; /* Null is `free`. */
    void *context;
} Retired;

/* Some nodes that wait, in one block: one allocation for several of them. */
typedef struct Batch {
    struct Batch *next;
    int n_retired;
    Retired retired[BATCH_SIZE];
} Batch;

/* Nodes of one thread that wait together. Only the newest batch, the first one, may be partly filled. */
typedef struct {
    Batch *first;
    int n_waiting;
} Bag;

void bag_put(Bag *bag, Retired retired);
/* Releases everything that is in it; returns how many nodes. */
int bag_release(Bag *bag);
/* Releases the nodes that `may_go` says yes to and keeps the others; returns how many. */
int bag_release_some(Bag *bag, bool (*may_go)(const void *node, const void *context), const void *context);
/* Moves everything into another bag. */
void bag_move(Bag *from, Bag *to);

/* Counters of a thread, written by it alone. */
typedef struct {
    size_t n_retired;
    size_t n_released;
} ReclaimCounters;

extern ReclaimCounters reclaim_counters[MAX_THREADS];

/* Operations that a thread is inside of: they nest, and only the outermost one counts. */
extern int reclaim_depth[MAX_THREADS];

/* True if this is the outermost one. */
static inline bool enters(int thread)
{
    return reclaim_depth[thread]++ == 0;
}

static inline bool leaves(int thread)
{
    return --reclaim_depth[thread] == 0;
}

static inline void note_retired(int thread)
{
    reclaim_counters[thread].n_retired++;
}

static inline void note_released(int thread, int n)
{
    reclaim_counters[thread].n_released += (size_t)n;
}

/* What threads have left behind, as batches that belong to nobody. */
void orphans_leave(Bag *bag);
/* Takes them all into a bag. */
void orphans_adopt(Bag *bag);
bool orphans_are_there(void);

int registered_threads(void);

/* What each scheme defines besides the interface in reclaim.h: */

/* A thread that leaves gives away what it has; one that comes may find the state of an earlier one with its number. */
void scheme_leave(int thread);
/* Whether the thread announces nothing. */
bool scheme_is_idle(int thread);
/* How many nodes of the thread wait. */
size_t scheme_waiting(int thread);
/* Releases everything, whatever anybody announces; the counters are the caller's affair. */
int scheme_release_all(int thread);

#endif
