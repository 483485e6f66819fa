// Threads add to the values of a few keys while the table grows; nothing that was added may get lost.
// Verdict: safe.
// Exercises: compare-and-swap in a loop across tables, iteration while others change the table, clear.
//
// -DTHREADS=n  threads          -DOPS=n  additions of each          -DKEYS=n  keys that they are spread over
// -DLOOK       one more thread goes through the keys meanwhile: none may come twice, each value must be one that was there
// -DCLEAR      the table is emptied at the end
#include "hash/hashtable.h"
#include "reclaim.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 2
#endif
#ifndef KEYS
#define KEYS 2
#endif

static HashTable *hash;

static void *add(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++)
        hash_add(hash, me, (Word)((me + i) % KEYS + 1), 1);
    return 0;
}

/* What the thread that looks has seen of a table to which each thread adds OPS times. */
static void *look(void *unused)
{
    HashIterator iterator;
    Word key, value;
    int n_seen[KEYS + 1] = {0};
    hash_iterate(&iterator, hash, THREADS);
    while (hash_next(&iterator, &key, &value)) {
        assert(key >= 1 && key <= KEYS && ++n_seen[key] == 1);
        assert(value <= THREADS * OPS && (value >= 1 || key == KEYS));
    }
    hash_iterate_end(&iterator);
    assert(n_seen[KEYS] == 1); /* It was there before. */
    return unused;
}

int main(void)
{
    pthread_t threads[THREADS + 1];
    hash = hash_new();
    hash_insert(hash, 0, KEYS, 0);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, add, (void *)(intptr_t)i);
#ifdef LOOK
    pthread_create(&threads[THREADS], 0, look, 0);
    pthread_join(threads[THREADS], 0);
#else
    (void)look;
#endif
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    Word sum = 0;
    for (Word key = 1; key <= KEYS; key++) {
        Word value = 0;
        hash_find(hash, 0, key, &value);
        sum += value;
    }
    assert(sum == THREADS * OPS);
    assert(hash_is_sound(hash));
#ifdef CLEAR
    int n_keys = hash_count(hash);
    assert((int)hash_clear(hash, 0) == n_keys && hash_count(hash) == 0 && hash_is_sound(hash));
    assert(hash_compact(hash, 0) == FIRST_SIZE);
#endif
    hash_free(hash);
    reclaim_all();
    return 0;
}
