/* Counting without a place that all threads meet at: each has a stripe of its own, and who wants to know sums up.
 *
 * The sum is exact when nobody is between an update and its count. A stripe may be negative: one thread adds, another one
 * removes. */
#include "internal.h"

void count_keys(HashTable *hash, int thread, Word was, Word is)
{
    long change = (long)is_value(is) - (long)is_value(was);
    if (change != 0)
        atomic_fetch_add(&hash->stripes[thread].n_keys, change);
}

void count_event(HashTable *hash, int thread, Event event, unsigned long n)
{
    atomic_fetch_add(&hash->stripes[thread].n_events[event], n);
}

unsigned long hash_estimate(HashTable *hash)
{
    long sum = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        sum += hash->stripes[thread].n_keys;
    return sum < 0 ? 0 : (unsigned long)sum;
}

static unsigned long total(HashTable *hash, Event event)
{
    unsigned long sum = 0;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        sum += hash->stripes[thread].n_events[event];
    return sum;
}

HashStatistics hash_statistics(HashTable *hash)
{
    return (HashStatistics){
        .n_conflicts = total(hash, CONFLICT),
        .n_moves = total(hash, MOVE),
        .n_grown = total(hash, GROWN),
        .n_purged = total(hash, PURGED),
        .n_shrunk = total(hash, SHRUNK),
        .n_in_vain = total(hash, IN_VAIN),
    };
}
