// One thread walks through a non-blocking list with a cursor while others remove keys and add them again.
// Verdict: safe.
// Exercises: a walk that has to find its way from nodes that are deleted under it.
//
// -DTHREADS=n   threads; the first one walks
// -DKEYS=n      keys; the odd ones stay, the even ones are removed by the other threads
// -DGAP         only the first and the last key stay
// -DAGAIN       the other threads add the keys again that they have removed
// -DREMOVING    the walk removes keys as well; each is removed once
// -DSKIPLIST, -DTALL, -DRECLAIM=n as in the other drivers
#include "reclaim.h"
#include "which.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef KEYS
#define KEYS 3
#endif

static Map *map;
static int n_removed[THREADS][KEYS + 1];
static int n_added[THREADS][KEYS + 1];

static bool stays(Word key)
{
#ifdef GAP
    return key == 1 || key == KEYS;
#else
    return key % 2 != 0;
#endif
}

static void walk(int me)
{
    Cursor cursor;
    Word key, value, last = 0;
    int n_met = 0;
    assert(MAP(cursor_open)(&cursor, map, me, NULL));
    while (MAP(cursor_next)(&cursor, &key, &value)) {
        assert(key > last && value == key * 10);
        last = key;
        n_met += stays(key);
#ifdef REMOVING
        if (!stays(key) && MAP(cursor_remove)(&cursor, &value)) {
            assert(value == key * 10);
            n_removed[me][key]++;
        }
#endif
    }
    MAP(cursor_close)(&cursor);
    int n_staying = 0;
    for (key = 1; key <= KEYS; key++)
        n_staying += stays(key);
    assert(n_met == n_staying);
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    if (me == 0) {
        walk(me);
        return 0;
    }
    for (Word key = 1; key <= KEYS; key++) {
        if (stays(key))
            continue;
        n_removed[me][key] += MAP(remove)(map, me, key, NULL);
#ifdef AGAIN
        n_added[me][key] += add_key(map, me, key, key * 10);
#endif
    }
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    map = MAP(new)();
    for (Word key = 1; key <= KEYS; key++)
        n_added[0][key] += add_key(map, 0, key, key * 10);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map));
    for (Word key = 1; key <= KEYS; key++) {
        int n = 0;
        for (int i = 0; i < THREADS; i++)
            n += n_added[i][key] - n_removed[i][key];
        assert(n == 0 || n == 1);
        assert(MAP(contains)(map, 0, key) == (n == 1));
    }
    MAP(free)(map);
    reclaim_all();
    return 0;
}
