/* Reclamation at the end: nothing is released while threads run. The simplest scheme, and what the others are compared with. */
#include "internal.h"

#if RECLAIM == RECLAIM_AT_END

static Bag bags[MAX_THREADS];

void reclaim_begin(int thread)
{
    (void)thread;
}

void reclaim_end(int thread)
{
    (void)thread;
}

void reclaim_retire_with(int thread, void *node, Release *release, void *context)
{
    note_retired(thread);
    bag_put(&bags[thread], (Retired){node, release, context});
}

int reclaim_pin(int thread, const void *node)
{
    (void)thread;
    (void)node;
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
    (void)thread;
    (void)pin;
}

int reclaim_flush(int thread)
{
    (void)thread;
    return 0;
}

void scheme_leave(int thread)
{
    orphans_leave(&bags[thread]);
}

bool scheme_is_idle(int thread)
{
    (void)thread;
    return true;
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
