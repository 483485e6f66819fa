/* Grace periods.
 *
 * Algorithm: after read-copy-update (McKenney and Slingwine, "Read-copy update", PDCS 1998; Desnoyers et al., "User-level
 * implementations of read-copy update", TPDS 2012). Each thread has a counter that is odd while it is inside. When a bag is
 * full, its nodes are unreachable for everybody who enters from now on; the counters of those who are inside are written
 * down, and when each of these has changed, nobody can read the nodes any more.
 *
 * A thread has one bag that is being filled and one that waits for its grace period. A bag that is full while the other one
 * still waits just goes on growing: a thread that stays inside holds up memory, but never another thread. */
#include "internal.h"

#if RECLAIM == RECLAIM_GRACE

/* Entries and exits; odd is inside. */
static atomic_uint passages[MAX_THREADS];

typedef struct {
    Bag filling;
    Bag waiting;
    /* What `passages` was when `waiting` was closed. */
    unsigned seen[MAX_THREADS];
} Limbo;

static Limbo limbos[MAX_THREADS];

void reclaim_begin(int thread)
{
    if (enters(thread))
        atomic_fetch_add(&passages[thread], 1);
}

/* Whether everybody who was inside then has left since. */
static bool is_over(const Limbo *limbo)
{
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        bool was_inside = limbo->seen[thread] % 2 != 0;
        if (was_inside && passages[thread] == limbo->seen[thread])
            return false;
    }
    return true;
}

static void close_filling(Limbo *limbo)
{
    bag_move(&limbo->filling, &limbo->waiting);
    for (int thread = 0; thread < MAX_THREADS; thread++)
        limbo->seen[thread] = passages[thread];
}

/* Releases what may be released, and closes what is full. The thread is outside. */
static int turn(int thread, int limit)
{
    Limbo *limbo = &limbos[thread];
    int n_released = 0;
    if (limbo->waiting.first && is_over(limbo)) {
        n_released = bag_release(&limbo->waiting);
        note_released(thread, n_released);
    }
    if (!limbo->waiting.first && limbo->filling.n_waiting >= limit)
        close_filling(limbo);
    return n_released;
}

void reclaim_end(int thread)
{
    if (!leaves(thread))
        return;
    atomic_fetch_add(&passages[thread], 1);
    if (limbos[thread].waiting.first || limbos[thread].filling.n_waiting >= BAG_LIMIT)
        turn(thread, BAG_LIMIT);
}

void reclaim_retire_with(int thread, void *node, Release *release, void *context)
{
    note_retired(thread);
    bag_put(&limbos[thread].filling, (Retired){node, release, context});
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
    assert(reclaim_depth[thread] == 0);
    orphans_adopt(&limbos[thread].filling);
    int n_released = turn(thread, 1);
    return n_released + turn(thread, 1);
}

/* What waits has to wait anew with whoever adopts it; that is late, but never early. */
void scheme_leave(int thread)
{
    orphans_leave(&limbos[thread].waiting);
    orphans_leave(&limbos[thread].filling);
}

bool scheme_is_idle(int thread)
{
    return passages[thread] % 2 == 0;
}

size_t scheme_waiting(int thread)
{
    return (size_t)(limbos[thread].filling.n_waiting + limbos[thread].waiting.n_waiting);
}

int scheme_release_all(int thread)
{
    return bag_release(&limbos[thread].filling) + bag_release(&limbos[thread].waiting);
}

#endif
