// Threads change the value of one key of a non-blocking list while others take the key away with what it has become.
// Verdict: safe.
// Exercises: compare-and-swap on values, which must not be lost when the key is removed at the same time.
//
// -DTHREADS=n   threads: every second one adds to the value, the others remove the key
// -DOPS=n       operations of each
// -DSWAP        additions are made by hand, by reading and comparing and swapping; else by `list_add`
// -DEXCHANGE    the others put 0 in place of the value instead of removing the key
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

enum { KEY = 5 };

static Map *map;
static Word added[THREADS], taken[THREADS];

static void add(int me, Word amount)
{
#ifdef SWAP
    for (;;) {
        Word value;
        if (!MAP(find)(map, me, KEY, &value)) {
            if (add_key(map, me, KEY, amount))
                return;
        } else if (MAP(swap)(map, me, KEY, value, value + amount) == CHANGED) {
            return;
        }
    }
#else
    assert(MAP(add)(map, me, KEY, amount) >= amount);
#endif
}

static void take(int me)
{
    Word value = 0;
#ifdef EXCHANGE
    if (MAP(replace)(map, me, KEY, 0, &value))
#else
    if (MAP(remove)(map, me, KEY, &value))
#endif
        taken[me] += value;
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        if (me % 2 == 0) {
            add(me, (Word)me + 1);
            added[me] += (Word)me + 1;
        } else {
            take(me);
        }
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    map = MAP(new)();
    add_key(map, 0, KEY, 100);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map));
    Word n_in = 100, n_out = 0, left = 0;
    for (int i = 0; i < THREADS; i++) {
        n_in += added[i];
        n_out += taken[i];
    }
    bool is_left = MAP(find)(map, 0, KEY, &left);
    assert(n_in == n_out + left);
    assert(MAP(count)(map) == is_left);
    MAP(free)(map);
    reclaim_all();
    return 0;
}
