/* Hazard pointers.
 *
 * Algorithm: Michael, "Hazard pointers: safe memory reclamation for lock-free objects" (TPDS 2004). Each thread has slots that
 * everybody may read and it alone writes. A scan reads all slots of all threads once, upwards, sorts what it has found, and
 * releases the retired nodes that are not among it.
 *
 * Why a node that moves to a higher slot is never missed: the higher slot is written before the lower one is overwritten. A
 * scan that finds the lower one overwritten reads the higher one later. */
#include "internal.h"

#if RECLAIM == RECLAIM_HAZARDS

#define N_SLOTS (N_HAZARDS + N_PINS)

static Link hazards[MAX_THREADS][N_SLOTS];
static Bag bags[MAX_THREADS];
/* Slots below this are in use by the present operation, so that only these are cleared. */
static int n_used[MAX_THREADS];
/* Pins in use, one bit each. */
static unsigned pins[MAX_THREADS];

void reclaim_begin(int thread)
{
    (void)enters(thread);
}

void reclaim_end(int thread)
{
    if (!leaves(thread))
        return;
    for (int slot = 0; slot < n_used[thread]; slot++)
        hazards[thread][slot] = 0;
    n_used[thread] = 0;
}

void reclaim_protect(int thread, int slot, const void *node)
{
    assert(slot < N_HAZARDS);
    hazards[thread][slot] = (uintptr_t)node;
    if (slot >= n_used[thread])
        n_used[thread] = slot + 1;
}

int reclaim_pin(int thread, const void *node)
{
    for (int pin = 0; pin < N_PINS; pin++)
        if (!(pins[thread] & 1u << pin)) {
            pins[thread] |= 1u << pin;
            hazards[thread][N_HAZARDS + pin] = (uintptr_t)node;
            return pin;
        }
    return -1;
}

void reclaim_repin(int thread, int pin, const void *node)
{
    assert(pins[thread] & 1u << pin);
    hazards[thread][N_HAZARDS + pin] = (uintptr_t)node;
}

void reclaim_unpin(int thread, int pin)
{
    assert(pins[thread] & 1u << pin);
    hazards[thread][N_HAZARDS + pin] = 0;
    pins[thread] &= ~(1u << pin);
}

/* What was announced when a scan came by, ascending. */
typedef struct {
    int n_found;
    uintptr_t found[MAX_THREADS * N_SLOTS];
} Announced;

static void insert_sorted(Announced *announced, uintptr_t node)
{
    int i = announced->n_found++;
    for (; i > 0 && announced->found[i - 1] > node; i--)
        announced->found[i] = announced->found[i - 1];
    announced->found[i] = node;
}

static void gather(Announced *announced)
{
    announced->n_found = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int slot = 0; slot < N_SLOTS; slot++) {
            uintptr_t node = hazards[thread][slot];
            if (node)
                insert_sorted(announced, node);
        }
}

static bool is_free_to_go(const void *node, const void *context)
{
    const Announced *announced = context;
    int low = 0, high = announced->n_found;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (announced->found[middle] == (uintptr_t)node)
            return false;
        if (announced->found[middle] < (uintptr_t)node)
            low = middle + 1;
        else
            high = middle;
    }
    return true;
}

static int scan(int thread)
{
    Announced announced;
    orphans_adopt(&bags[thread]);
    gather(&announced);
    int n_released = bag_release_some(&bags[thread], is_free_to_go, &announced);
    note_released(thread, n_released);
    return n_released;
}

void reclaim_retire_with(int thread, void *node, Release *release, void *context)
{
    note_retired(thread);
    bag_put(&bags[thread], (Retired){node, release, context});
    if (bags[thread].n_waiting >= BAG_LIMIT)
        scan(thread);
}

int reclaim_flush(int thread)
{
    return scan(thread);
}

void scheme_leave(int thread)
{
    assert(pins[thread] == 0);
    orphans_leave(&bags[thread]);
}

bool scheme_is_idle(int thread)
{
    for (int slot = 0; slot < N_SLOTS; slot++)
        if (hazards[thread][slot] != 0)
            return false;
    return pins[thread] == 0;
}

size_t scheme_waiting(int thread)
{
    return (size_t)bags[thread].n_waiting;
}

int scheme_release_all(int thread)
{
    return bag_release(&bags[thread]);
}

#endif
