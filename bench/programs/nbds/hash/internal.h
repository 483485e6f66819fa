/* What the files of the hash table share: slots, words in them, and who offers what.
 *
 * The value of a slot goes through
 *
 *     EMPTY -> value -> value, frozen -> MOVED
 *       |      ^   |                      ^
 *       |      |   v                      |
 *       |     REMOVED --------------------+
 *       v
 *     MOVED_UNUSED
 *
 * and never leaves the last two. They are told apart because a copy may come late: whoever copies a value into the next table
 * and finds that slot MOVED knows that the key has had a value there, the copy of somebody else or a newer one, and must not
 * bring the old value back; MOVED_UNUSED says that nobody has been there and nobody will, so the copy goes one table further.
 *
 * The key of a slot is 0 until it is claimed, or closed because its table is being left, and does not change any more. A slot
 * that is closed is moved; its value stays EMPTY. */
#ifndef NBDS_HASH_INTERNAL_H
#define NBDS_HASH_INTERNAL_H

#include "../reclaim.h"
#include "hashtable.h"

#if RECLAIM == 2
#error "the hash table needs epochs (RECLAIM=1), or release at the end (RECLAIM=0)"
#endif

/* ---- words ---- */

/* A key that no slot was claimed for. */
#define FREE ((Word)0)
#define CLOSED (~(Word)0)

/* Values. */
#define EMPTY ((Word)0)
#define REMOVED ((Word)4)
#define MOVED ((Word)8)
#define MOVED_UNUSED ((Word)12)
/* The lowest bits of a word: whether it is a value, and whether that is frozen. */
#define IS_VALUE ((Word)1)
#define IS_FROZEN ((Word)2)

static inline Word packed(Word value)
{
    return value << 2 | IS_VALUE;
}

static inline Word unpacked(Word word)
{
    return word >> 2;
}

/* A value that is there, frozen or not. */
static inline bool is_value(Word word)
{
    return (word & IS_VALUE) != 0;
}

static inline bool is_frozen(Word word)
{
    return (word & IS_FROZEN) != 0;
}

static inline bool is_moved(Word word)
{
    return word == MOVED || word == MOVED_UNUSED;
}

/* ---- tables ---- */

typedef struct {
    _Atomic Word key;
    _Atomic Word value;
} Slot;

static inline bool is_key(Word key)
{
    return key != FREE && key != CLOSED;
}

typedef struct Table {
    unsigned size;        /* A power of two. */
    atomic_uint n_taken;  /* Slots from the first on that somebody has taken on to move; may exceed the size. */
    atomic_uint n_moved;  /* Slots that are moved and counted. */
    Link next;            /* The table behind; set once. */
    Slot slots[];
} Table;

/* What happened; see HashStatistics. */
typedef enum { CONFLICT, MOVE, GROWN, PURGED, SHRUNK, IN_VAIN, N_EVENTS } Event;

/* Each thread counts for itself. */
typedef struct {
    atomic_long n_keys; /* Added less removed. */
    atomic_ulong n_events[N_EVENTS];
} Stripe;

struct HashTable {
    Link table; /* Where searches begin: the first table that is not moved yet. */
    const KeyKind *keys;
    unsigned least_size;
    Stripe stripes[MAX_THREADS];
};

static inline Table *first_table(HashTable *hash)
{
    return (Table *)atomic_load(&hash->table);
}

static inline Table *table_behind(Table *table)
{
    return (Table *)atomic_load(&table->next);
}

/* table.c */
Table *table_new(unsigned size);
/* The table behind this one, made if there is none, in which `key`, which finds no slot here, is to have one. */
Table *table_behind_for(HashTable *hash, int thread, Table *table, Word key);
/* Hangs a table of this size behind one that is the last; the one that is there in the end. */
Table *table_append(HashTable *hash, int thread, Table *table, unsigned size);

/* probe.c */
typedef enum {
    SLOT_FOUND,
    SLOT_ABSENT, /* A free slot comes before any slot of the key: it is not in this table, nor behind. */
    SLOT_BEYOND  /* All slots within reach, or before one that is closed, belong to other keys: look behind. */
} ProbeEnd;

typedef struct {
    ProbeEnd end;
    Slot *slot; /* Null unless found. */
} Probe;

typedef enum { COPY_OF_KEY, KEY_ITSELF } Claim;

unsigned probe_reach(const Table *table);
/* How many slots the search for the key has looked at when it comes to this one. */
unsigned probe_length(const HashTable *hash, const Table *table, const Slot *slot, Word key);
Probe probe_find(const HashTable *hash, Table *table, Word key);
/* Finds the slot of the key, or claims one for a copy of the key or for the key itself; never SLOT_ABSENT. */
Probe probe_claim(const HashTable *hash, Table *table, Word key, Claim claim);
/* Whether a removed key is within reach, so that a new table of the same size has room for this one. */
bool probe_meets_removed(const HashTable *hash, Table *table, Word key);

/* copy.c; for all of these, there is a table behind. */
void copy_slot(HashTable *hash, int thread, Table *table, Slot *slot);
/* Moves some slots that nobody else has taken on. */
void copy_some(HashTable *hash, int thread, Table *table);
/* Moves all slots, whoever has taken them on. */
void copy_all(HashTable *hash, int thread, Table *table);
/* Moves everything to the last table; that one. */
Table *copy_to_last(HashTable *hash, int thread);

/* operate.c */
/* The word of a key, searched from this table on; EMPTY or REMOVED if it is not there. */
Word value_from(const HashTable *hash, Table *table, Word key);
/* Removes a key that is there; whether this call did it. */
bool remove_key(HashTable *hash, int thread, Word key, Word *value);

/* count.c */
void count_keys(HashTable *hash, int thread, Word was, Word is);
void count_event(HashTable *hash, int thread, Event event, unsigned long n);

#endif
