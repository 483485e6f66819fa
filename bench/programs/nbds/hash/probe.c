/* Where a key is looked for: linear probing, within reach.
 *
 * Invariant: the slots before that of a key, from its first slot on, have been claimed by other keys. Slots are never given
 * up, so a search that meets a free slot knows that the key is not in the table, and one that has found no slot within reach
 * never will. A slot that is closed is free for ever: what might have come there is behind. */
#include "internal.h"

static unsigned first_slot(const HashTable *hash, const Table *table, Word key)
{
    return hash->keys->hash(key) & (table->size - 1);
}

static bool is_same_key(const HashTable *hash, Word one, Word other)
{
    return one == other || (hash->keys->is_equal && hash->keys->is_equal(one, other));
}

/* More than half of the table: so many keys fit however their hashes collide. */
unsigned probe_reach(const Table *table)
{
    return table->size < 4 ? table->size : table->size / 2 + 1;
}

unsigned probe_length(const HashTable *hash, const Table *table, const Slot *slot, Word key)
{
    unsigned at = (unsigned)(slot - table->slots);
    return ((at - first_slot(hash, table, key)) & (table->size - 1)) + 1;
}

Probe probe_find(const HashTable *hash, Table *table, Word key)
{
    unsigned at = first_slot(hash, table, key), reach = probe_reach(table);
    for (unsigned i = 0; i < reach; i++) {
        Slot *slot = &table->slots[(at + i) & (table->size - 1)];
        Word there = slot->key;
        if (there == FREE)
            return (Probe){SLOT_ABSENT, NULL};
        if (there == CLOSED)
            break;
        if (is_same_key(hash, there, key))
            return (Probe){SLOT_FOUND, slot};
    }
    return (Probe){SLOT_BEYOND, NULL};
}

/* The key as a slot is to hold it. Each table that a key is claimed in by an operation has a copy of its own; only a slot that
   is moved takes its key along. So it is known when a key is used no more; see release_keys. */
static Word key_to_keep(const HashTable *hash, Word key, Claim claim)
{
    return claim == COPY_OF_KEY && hash->keys->copy ? hash->keys->copy(key) : key;
}

static void discard(Word kept, Word key)
{
    if (kept != 0 && kept != key)
        free((void *)kept);
}

Probe probe_claim(const HashTable *hash, Table *table, Word key, Claim claim)
{
    unsigned at = first_slot(hash, table, key), reach = probe_reach(table);
    Word kept = 0;
    for (unsigned i = 0; i < reach; i++) {
        Slot *slot = &table->slots[(at + i) & (table->size - 1)];
        Word there = slot->key;
        if (there == FREE) {
            if (kept == 0)
                kept = key_to_keep(hash, key, claim);
            if (atomic_compare_exchange_strong(&slot->key, &there, kept))
                return (Probe){SLOT_FOUND, slot};
        }
        /* Also where another thread was faster: it may have claimed the slot for the same key. */
        if (there == CLOSED)
            break;
        if (is_same_key(hash, there, key)) {
            discard(kept, key);
            return (Probe){SLOT_FOUND, slot};
        }
    }
    discard(kept, key);
    return (Probe){SLOT_BEYOND, NULL};
}

bool probe_meets_removed(const HashTable *hash, Table *table, Word key)
{
    unsigned at = first_slot(hash, table, key), reach = probe_reach(table);
    for (unsigned i = 0; i < reach; i++)
        if (table->slots[(at + i) & (table->size - 1)].value == REMOVED)
            return true;
    return false;
}
