// Threads take the first key of a non-blocking list, used as a priority queue; each key is taken once, in ascending order.
// Verdict: safe.
// Exercises: everybody wants the same node at once.
//
// -DTHREADS=n   threads                      -DOPS=n   keys that each takes
// -DKEYS=n      keys at the beginning        -DLAST    the last thread adds one more key, which comes before all others
// -DSKIPLIST, -DTALL, -DRECLAIM=n as in the other drivers
#include "reclaim.h"
#include "which.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 1
#endif
#ifndef KEYS
#define KEYS (THREADS * OPS)
#endif

static Map *map;
static int n_taken[THREADS][KEYS + 1];

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    Word key, value, last = 0;
#ifdef LAST
    if (me == THREADS - 1) {
        assert(add_key(map, me, 0, 7));
        return 0;
    }
#endif
    for (int i = 0; i < OPS; i++) {
        if (!MAP(remove_first)(map, me, &key, &value))
            break;
        assert(key <= KEYS && value == key * 10 + 7);
        /* What was there from the beginning is taken in order; the key that is added comes first whenever it comes. */
        assert(key > last || (key == 0 && n_taken[me][0] == 0));
        last = key;
        n_taken[me][key]++;
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    map = MAP(new)();
    for (Word key = KEYS; key >= 1; key--)
        add_key(map, 0, key, key * 10 + 7);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map));
    int n_missing = 0, n_all = 0;
    for (Word key = 0; key <= KEYS; key++) {
        int n = 0;
        for (int i = 0; i < THREADS; i++)
            n += n_taken[i][key];
        bool is_there = MAP(contains)(map, 0, key);
        bool was_there = key > 0;
#ifdef LAST
        was_there = true;
#endif
        assert(n + is_there == was_there);
        n_all += n;
        /* Smaller keys went first: none is left below one that was taken, except the one that came late. */
        n_missing += is_there && key > 0;
        assert(n == 0 || n_missing == 0);
    }
#ifndef LAST
    assert(n_all == (THREADS * OPS < KEYS ? THREADS * OPS : KEYS));
#endif
    MAP(free)(map);
    reclaim_all();
    return 0;
}
