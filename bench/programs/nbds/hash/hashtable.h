/* A hash table without locks that grows and shrinks: keys with values.
 *
 * Algorithm: after Click's non-blocking hash table (2007), which nbds follows as well. Open addressing: a slot is claimed for
 * a key by compare-and-swap and keeps it for ever; the value beside it comes and goes. When a key finds no slot, another table
 * is hung behind the full one, and whoever comes by moves slots over: a slot's value is frozen, copied and marked as moved, so
 * an update is made either before in the old table or after in the new one. The new table is larger, smaller or, if the old
 * one was full of removed keys, of the same size.
 *
 * Every operation is linearizable and lock-free; looking for a key writes nothing. What scans the whole table (iteration,
 * clear) is not atomic; each says what it promises.
 *
 * Keys are numbers or texts (`KeyKind`); 0 and the highest word are no keys. Values are words whose two highest bits are lost.
 *
 * Tables that are left behind are handed to reclaim.h: release at the end, or epochs. Hazard pointers would need one for each
 * table of a chain, so they are refused. A thread is a number below MAX_THREADS. */
#ifndef NBDS_HASHTABLE_H
#define NBDS_HASHTABLE_H

#include "../common.h"

/* Slots that a new table has, and below which it never shrinks; a power of two. */
#ifndef FIRST_SIZE
#define FIRST_SIZE 4
#endif
/* Slots that a thread which comes by takes on to move at a time. */
#ifndef COPY_CHUNK
#define COPY_CHUNK 8
#endif

typedef struct HashTable HashTable;

/* What kind of thing the keys are; a word stands for each, neither 0 nor the highest one. */
typedef struct {
    uint32_t (*hash)(Word key);
    /* Null: keys are equal if their words are. */
    bool (*is_equal)(Word one, Word other);
    /* The table's own copy of a key, one block of memory that `free` releases. Null: the word itself is kept. */
    Word (*copy)(Word key);
} KeyKind;

extern const KeyKind number_keys;
/* The word is the address of a text that ends with a zero byte. */
extern const KeyKind text_keys;

/* ---- making and releasing ---- */

/* A table for numbers with FIRST_SIZE slots. */
HashTable *hash_new(void);
HashTable *hash_new_for(const KeyKind *keys, unsigned first_size);

/* For quiet times only, when no other thread uses the table. */
void hash_free(HashTable *hash);

/* ---- one key ---- */

/* Adds the key if it is not there; false if it is. */
bool hash_insert(HashTable *hash, int thread, Word key, Word value);

/* Gives the key a value, whether it is there or not; true if it was there, and `old`, unless null, is what it had. */
bool hash_put(HashTable *hash, int thread, Word key, Word value, Word *old);

/* Gives the key a value if it is there; `old`, unless null, is what it had. */
bool hash_replace(HashTable *hash, int thread, Word key, Word value, Word *old);

/* Gives the key the value `to` if it has the value `from`. */
bool hash_compare_and_swap(HashTable *hash, int thread, Word key, Word from, Word to);

/* Adds to the value of the key, which counts as 0 if it is not there; returns the sum. */
Word hash_add(HashTable *hash, int thread, Word key, Word summand);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool hash_remove(HashTable *hash, int thread, Word key, Word *value);

/* Removes the key if it has this value. */
bool hash_remove_if(HashTable *hash, int thread, Word key, Word value);

/* Whether the key is there, and its value. */
bool hash_find(HashTable *hash, int thread, Word key, Word *value);

/* ---- all keys ---- */

/* Goes through the keys while others change them: no key comes twice; a key that is there from begin to end comes; one that
 * is added or removed meanwhile may come or not. No other operation by the same thread until the end. */
typedef struct {
    HashTable *hash;
    struct Table *table;
    unsigned at;
    int thread;
} HashIterator;

void hash_iterate(HashIterator *iterator, HashTable *hash, int thread);
bool hash_next(HashIterator *iterator, Word *key, Word *value);
void hash_iterate_end(HashIterator *iterator);

/* Removes each key when it comes by; returns how many there were. A key that is added meanwhile may stay. */
unsigned hash_clear(HashTable *hash, int thread);

/* Moves everything to a table that is as small as the keys allow, without those that were removed; returns its size. */
unsigned hash_compact(HashTable *hash, int thread);

/* ---- numbers ---- */

/* How many keys there are, but for operations that are under way. */
unsigned long hash_estimate(HashTable *hash);

typedef struct {
    unsigned long n_conflicts; /* An update lost to another one and was made again. */
    unsigned long n_moves;     /* Slots moved. */
    unsigned long n_grown, n_purged, n_shrunk; /* Tables made that were larger, as large, smaller. */
    unsigned long n_in_vain;   /* Tables made that another thread's table came before. */
} HashStatistics;

HashStatistics hash_statistics(HashTable *hash);

/* ---- for quiet times only, when no other thread uses the table ---- */

typedef enum {
    HASH_SOUND,
    HASH_BAD_SIZE,             /* Not a power of two, or too small. */
    HASH_VALUE_WITHOUT_KEY,
    HASH_FROZEN_SLOT,          /* Who froze it should have moved it before the operation ended. */
    HASH_UNREACHABLE_KEY,      /* A search ends elsewhere: out of reach, or the key has two slots. */
    HASH_KEY_IN_TWO_TABLES,
    HASH_MOVED_TO_NOWHERE,     /* A slot is moved, but there is no table behind. */
    HASH_WRONG_NUMBER_OF_MOVES,
    HASH_EMPTIED_TABLE_STAYS,  /* All slots are moved, but searches still begin there. */
    HASH_WRONG_COUNT           /* The estimate, which must be exact now. */
} HashFault;

typedef struct {
    HashFault fault;
    int n_tables;
    int n_keys;
    int n_removed;    /* Slots that only a removed key occupies. */
    int longest_probe; /* Slots that the search for a key looks at. */
    Word key;         /* The one with the fault, if it is about one. */
} HashAudit;

HashAudit hash_audit(HashTable *hash);
const char *hash_fault_name(HashFault fault);

bool hash_is_sound(HashTable *hash);
int hash_count(HashTable *hash);
/* Slots of the table where everything ends up. */
int hash_size(HashTable *hash);

#endif
