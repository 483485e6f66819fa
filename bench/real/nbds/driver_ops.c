// Threads that each run a few operations of nbds's map on the same keys; afterwards each key is there exactly if it was
// added more often than removed, and whatever was read had been written.
//
// -DMAP=MAP_IMPL_LL (list), MAP_IMPL_SL (skip list) or MAP_IMPL_HT (hash table).
// -DT0='"a1r2"', T1, T2: what the threads do, each an operation and a key from 0 to 9:
//   a add, r remove, s set (add or replace), p replace, c compare-and-swap of the value the key began with, g get.
// -DFIRST='"13"': the keys that are there from the beginning.
#include <pthread.h>
#include <stdio.h>

#include "common.h"
#include "hashtable.h"
#include "list.h"
#include "map.h"
#include "rcu.h"
#include "runtime.h"
#include "skiplist.h"

#ifndef MAP
#define MAP MAP_IMPL_LL
#endif
#ifndef FIRST
#define FIRST ""
#endif
#ifndef T0
#define T0 "a1"
#endif
#ifndef T1
#define T1 "r1"
#endif

static const char *const scripts[] = {
    T0,
    T1,
#ifdef T2
    T2,
#endif
};
#define THREADS (int)(sizeof scripts / sizeof *scripts)
#define KEYS 10

static map_t *map;
static int balance[sizeof scripts / sizeof *scripts][KEYS];
static pthread_barrier_t all_began;

/* Keys of the maps start with 1; a value says which key it belongs to. */
static map_key_t key_of(int k) { return (map_key_t)k + 1; }
static map_val_t value_of(int k, int by) { return (map_val_t)(k * 16 + by + 1); }
static int is_of(map_val_t value, int k) { return value == DOES_NOT_EXIST || (int)(value - 1) / 16 == k; }

static void *work(void *argument)
{
    int me = (int)(size_t)argument;
    /* The library counts the threads that have begun and fails if one runs ahead; its own tests wait as well. */
    if (THREADS > 2)
        pthread_barrier_wait(&all_began);
    for (const char *s = scripts[me]; *s; s += 2) {
        int k = s[1] - '0';
        map_key_t key = key_of(k);
        map_val_t new = value_of(k, me + 1), old = DOES_NOT_EXIST;
        switch (*s) {
        case 'a':
            old = map_add(map, key, new);
            balance[me][k] += old == DOES_NOT_EXIST;
            break;
        case 'r':
            old = map_remove(map, key);
            balance[me][k] -= old != DOES_NOT_EXIST;
            break;
        case 's':
            old = map_set(map, key, new);
            balance[me][k] += old == DOES_NOT_EXIST;
            break;
        case 'p':
            old = map_replace(map, key, new);
            break;
        case 'c':
            old = map_cas(map, key, value_of(k, 0), new);
            break;
        case 'g':
            old = map_get(map, key);
            break;
        }
        assert(is_of(old, k));
    }
    rcu_update();
    return NULL;
}

#ifdef SEEDED
/* The skip list counts the trailing zeros of this number, which must not be 0. */
int rand_r(unsigned *seed)
{
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 16 & 0x3fff) | 0x4000;
}
#endif

int main(void)
{
    pthread_t threads[sizeof scripts / sizeof *scripts];
    int total[KEYS] = {0}, n = 0;
    map = map_alloc(&MAP, NULL);
    for (const char *s = FIRST; *s; s++)
        total[*s - '0'] += map_add(map, key_of(*s - '0'), value_of(*s - '0', 0)) == DOES_NOT_EXIST;
    pthread_barrier_init(&all_began, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        nbd_thread_create(&threads[i], i, work, (void *)(size_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int k = 0; k < KEYS; k++) {
        for (int i = 0; i < THREADS; i++)
            total[k] += balance[i][k];
        assert(total[k] == 0 || total[k] == 1);
        map_val_t value = map_get(map, key_of(k));
        assert((value != DOES_NOT_EXIST) == total[k] && is_of(value, k));
        n += total[k];
    }
    assert((int)map_count(map) == n);
    return 0;
}
