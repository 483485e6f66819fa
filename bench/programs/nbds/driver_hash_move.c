// One thread lets the hash table grow while another one removes a key that has to move.
// Verdict: safe.
// Exercises: a slot that is frozen, copied and marked while it is being updated. To be compiled with -DFIRST_SIZE=2.
#include "hash/hashtable.h"
#include <pthread.h>

static HashTable *hash;

static void *grow(void *unused)
{
    assert(hash_insert(hash, 0, 3, 30));
    return unused;
}

static void *take_away(void *unused)
{
    Word value;
    assert(hash_remove(hash, 1, 1, &value) && value == 10);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    Word value;
    hash = hash_new();
    hash_insert(hash, 0, 1, 10);
    hash_insert(hash, 0, 2, 20);
    pthread_create(&threads[0], 0, grow, 0);
    pthread_create(&threads[1], 0, take_away, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(!hash_find(hash, 0, 1, &value));
    assert(hash_find(hash, 0, 2, &value) && value == 20);
    assert(hash_find(hash, 0, 3, &value) && value == 30);
    return 0;
}
