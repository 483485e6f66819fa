// One thread moves a key while others ask for the neighbours of a place: the new key is added before the old one is removed, so
// one of them is always there.
// Verdict: safe.
// Exercises: answers that must be true of one moment, though they are put together from several reads.
//
// -DTHREADS=n   threads; the first one moves the key      -DMOVES=n   how often
// -DDOWN        ask for the last key below, not for the first one above
// -DSKIPLIST, -DTALL, -DRECLAIM=n as in the other drivers
#include "reclaim.h"
#include "which.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef MOVES
#define MOVES 1
#endif

static Map *map;

/* Within 20 to 29. */
static Word place(int i)
{
    return 20 + (Word)(i * 5 + i / 2) % 10;
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    Word key, value;
    if (me == 0) {
        for (int i = 0; i < MOVES; i++) {
            assert(add_key(map, me, place(i + 1), place(i + 1) * 10));
            assert(MAP(remove)(map, me, place(i), &value) && value == place(i) * 10);
        }
        return 0;
    }
#ifdef DOWN
    assert(MAP(floor)(map, me, 35, &key, &value));
#else
    assert(MAP(ceiling)(map, me, 15, &key, &value));
#endif
    assert(key >= 20 && key < 30 && value == key * 10);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    Word key;
    map = MAP(new)();
    add_key(map, 0, 10, 100);
    add_key(map, 0, place(0), place(0) * 10);
    add_key(map, 0, 40, 400);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map) && MAP(count)(map) == 3);
    assert(MAP(first)(map, 0, &key, NULL) && key == 10);
    assert(MAP(above)(map, 0, key, &key, NULL) && key == place(MOVES));
    assert(MAP(above)(map, 0, key, &key, NULL) && key == 40);
    assert(!MAP(above)(map, 0, key, &key, NULL));
    assert(MAP(last)(map, 0, &key, NULL) && key == 40);
    assert(MAP(below)(map, 0, key, &key, NULL) && key == place(MOVES));
    MAP(free)(map);
    reclaim_all();
    return 0;
}
