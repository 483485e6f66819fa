/* Who takes part: numbers for threads, and what threads leave behind.
 *
 * A number is taken by compare-and-swap and given back by a store. What a thread has retired and may not release yet becomes
 * an orphan: its batches are pushed onto a stack that everybody can take as a whole. Nothing is ever taken off the middle of
 * that stack, so it has no ABA problem. */
#include "internal.h"

ReclaimCounters reclaim_counters[MAX_THREADS];
int reclaim_depth[MAX_THREADS];

static atomic_bool is_taken[MAX_THREADS];
static Link orphans;

int reclaim_register(void)
{
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        bool was_taken = false;
        if (!atomic_load(&is_taken[thread]) && atomic_compare_exchange_strong(&is_taken[thread], &was_taken, true))
            return thread;
    }
    return -1;
}

void reclaim_unregister(int thread)
{
    assert(reclaim_depth[thread] == 0);
    scheme_leave(thread);
    /* Last: from now on the number may be somebody else's. */
    atomic_store(&is_taken[thread], false);
}

int registered_threads(void)
{
    int n = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        n += atomic_load(&is_taken[thread]);
    return n;
}

void orphans_leave(Bag *bag)
{
    if (!bag->first)
        return;
    Batch *last = bag->first;
    while (last->next)
        last = last->next;
    for (;;) {
        uintptr_t was = atomic_load(&orphans);
        last->next = (Batch *)was;
        if (swap_link(&orphans, was, (uintptr_t)bag->first))
            break;
    }
    *bag = (Bag){NULL, 0};
}

bool orphans_are_there(void)
{
    return atomic_load(&orphans) != 0;
}

void orphans_adopt(Bag *bag)
{
    if (!orphans_are_there())
        return;
    Bag found = {(Batch *)atomic_exchange(&orphans, 0), 0};
    bag_move(&found, bag);
}

ReclaimAccount reclaim_account(void)
{
    ReclaimAccount account = {0, 0, 0, registered_threads()};
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        account.n_retired += reclaim_counters[thread].n_retired;
        account.n_released += reclaim_counters[thread].n_released;
        account.n_waiting += scheme_waiting(thread);
    }
    for (const Batch *batch = (const Batch *)atomic_load(&orphans); batch; batch = batch->next)
        account.n_waiting += (size_t)batch->n_retired;
    return account;
}

bool reclaim_is_sound(void)
{
    for (int thread = 0; thread < MAX_THREADS; thread++)
        if (reclaim_depth[thread] != 0 || !scheme_is_idle(thread))
            return false;
    ReclaimAccount account = reclaim_account();
    return account.n_retired == account.n_released + account.n_waiting;
}

int reclaim_all(void)
{
    Bag left = {NULL, 0};
    orphans_adopt(&left);
    int n_released = bag_release(&left);
    note_released(0, n_released);
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        int n = scheme_release_all(thread);
        note_released(thread, n);
        n_released += n;
    }
    return n_released;
}

void reclaim_retire(int thread, void *node)
{
    reclaim_retire_with(thread, node, NULL, NULL);
}
