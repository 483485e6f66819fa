// Two threads rebuild the hash table; one of them removes a key before, while the other one may be about to copy it.
// Verdict: safe.
// Exercises: a chain of three tables, and a copy that comes so late that its target has been left as well.
//
// -DKEYS=n  keys 1 to n are there; the first one is removed
#include "hash/hashtable.h"
#include "reclaim.h"
#include <pthread.h>

#ifndef KEYS
#define KEYS 1
#endif

static HashTable *hash;

static void *rebuild(void *unused)
{
    hash_compact(hash, 0);
    return unused;
}

static void *remove_and_rebuild(void *unused)
{
    assert(hash_remove(hash, 1, 1, 0));
    hash_compact(hash, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    hash = hash_new();
    for (Word key = 1; key <= KEYS; key++)
        hash_insert(hash, 0, key, key * 10);
    pthread_create(&threads[0], 0, rebuild, 0);
    pthread_create(&threads[1], 0, remove_and_rebuild, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    Word value;
    assert(!hash_find(hash, 0, 1, &value));
    for (Word key = 2; key <= KEYS; key++)
        assert(hash_find(hash, 0, key, &value) && value == key * 10);
    assert(hash_is_sound(hash));
    hash_free(hash);
    reclaim_all();
    return 0;
}
