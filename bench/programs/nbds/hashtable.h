/* A hash table without locks that grows: keys with values.
 *
 * Algorithm: after Click's non-blocking hash table (2007), which nbds follows as well. Open addressing: a slot is claimed for
 * a key by compare-and-swap and keeps it for ever; the value beside it comes and goes. When a table is full, a larger one is
 * hung behind it, and whoever comes by moves slots over: a slot's value is frozen, copied and marked as moved, so an update
 * is made either before in the old table or after in the new one.
 *
 * Keys are not 0. */
#ifndef NBDS_HASHTABLE_H
#define NBDS_HASHTABLE_H

#include "common.h"

#ifndef FIRST_SIZE
#define FIRST_SIZE 4
#endif

typedef struct HashTable HashTable;

HashTable *hash_new(void);

/* Adds the key if it is not there; false if it is. */
bool hash_insert(HashTable *hash, int thread, Key key, Word value);

/* Gives the key a value, whether it is there or not; true if it was there, and `old` is what it had. */
bool hash_put(HashTable *hash, int thread, Key key, Word value, Word *old);

/* Gives the key the value `to` if it has the value `from`. */
bool hash_replace(HashTable *hash, int thread, Key key, Word from, Word to);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool hash_remove(HashTable *hash, int thread, Key key, Word *value);

/* Whether the key is there, and its value. */
bool hash_find(HashTable *hash, int thread, Key key, Word *value);

/* For quiet times only, when no other thread uses the table. */
int hash_count(HashTable *hash);
int hash_size(const HashTable *hash);
/* Whether every key is in one slot only, and where a search finds it. */
bool hash_is_sound(HashTable *hash);
void hash_free(HashTable *hash);

#endif
