/* Moving slots from one table to the one behind, by whoever comes by.
 *
 * A slot moves in three steps, each of which any thread can make or make again: its value is frozen, so that nobody changes it
 * any more; the value is put into the next table, unless the key has been there before; the slot is marked as moved. An
 * operation moves the slot of its own key and goes on behind, so none waits for another. Who finds a table that is being moved
 * also takes on a chunk of its slots, so the whole table moves in the end; who moves the last slot puts the next table in its
 * place. A slot that nobody has claimed is closed, so that no key comes into a table that is being left, after its keys have
 * been released. */
#include "internal.h"

/* Puts a value that is being moved into `table` or one behind it, unless the key has had a value there since. */
static void settle(HashTable *hash, int thread, Table *table, Word key, Word word)
{
    for (;;) {
        Probe probe = probe_claim(hash, table, key, KEY_ITSELF);
        if (probe.slot) {
            Word there = EMPTY;
            if (atomic_compare_exchange_strong(&probe.slot->value, &there, word))
                return;
#ifdef LATE_COPY_FOLLOWS
            if (!is_moved(there))
                return;
#else
            if (there != MOVED_UNUSED)
                return;
#endif
        }
        table = table_behind_for(hash, thread, table, key);
    }
}

/* Closes a slot that nobody has claimed; true if this call was the one that did it. */
static bool close_slot(Slot *slot)
{
#ifdef LEAVE_SLOTS_OPEN
    (void)slot;
    return false;
#else
    Word key = slot->key;
    return key == FREE && atomic_compare_exchange_strong(&slot->key, &key, CLOSED);
#endif
}

/* Moves one slot; true if this call was the one that did it. */
static bool move_slot(HashTable *hash, int thread, Table *table, Slot *slot)
{
    if (close_slot(slot))
        return true;
    if (slot->key == CLOSED)
        return false;
    for (;;) {
        Word word = slot->value;
        if (is_moved(word))
            return false;
        if (!is_value(word)) {
            if (atomic_compare_exchange_strong(&slot->value, &word, word == EMPTY ? MOVED_UNUSED : MOVED))
                return true;
            continue;
        }
#ifndef MOVE_WITHOUT_FREEZING
        if (!is_frozen(word)) {
            if (!atomic_compare_exchange_strong(&slot->value, &word, word | IS_FROZEN))
                continue;
            word |= IS_FROZEN;
        }
#endif
        settle(hash, thread, table_behind(table), slot->key, word & ~IS_FROZEN);
        if (atomic_compare_exchange_strong(&slot->value, &word, MOVED))
            return true;
    }
}

/* Whether a table from here on holds this very copy of a key. */
static bool is_key_kept(HashTable *hash, Table *table, Word key)
{
    for (; table; table = table_behind(table)) {
        Probe probe = probe_find(hash, table, key);
        if (probe.slot && probe.slot->key == key)
            return true;
    }
    return false;
}

/* Retires the keys of a table that nobody finds any more, except those that moved along. All its slots are moved, so every
   value that had to be copied has been, and no key of this table is brought into another one from now on. */
static void release_keys(HashTable *hash, int thread, Table *table)
{
    if (!hash->keys->copy)
        return;
    for (unsigned i = 0; i < table->size; i++) {
        Word key = table->slots[i].key;
        if (is_key(key) && !is_key_kept(hash, table_behind(table), key))
            reclaim_retire(thread, (void *)key);
    }
}

/* Lets searches begin behind the tables that are moved. Several may be: the second of a chain can be done before the first. */
static void leave_moved_tables(HashTable *hash, int thread)
{
    for (;;) {
        Table *table = first_table(hash);
        if (table->n_moved < table->size)
            return;
        if (swap_link(&hash->table, (uintptr_t)table, (uintptr_t)table_behind(table))) {
            release_keys(hash, thread, table);
            reclaim_retire(thread, table);
        }
    }
}

static void count_moves(HashTable *hash, int thread, Table *table, unsigned n)
{
    if (n == 0)
        return;
    count_event(hash, thread, MOVE, n);
    if (atomic_fetch_add(&table->n_moved, n) + n == table->size)
        leave_moved_tables(hash, thread);
}

static void copy_range(HashTable *hash, int thread, Table *table, unsigned from, unsigned to)
{
    unsigned n = 0;
    for (unsigned i = from; i < to; i++)
        n += move_slot(hash, thread, table, &table->slots[i]);
    count_moves(hash, thread, table, n);
}

void copy_slot(HashTable *hash, int thread, Table *table, Slot *slot)
{
    count_moves(hash, thread, table, move_slot(hash, thread, table, slot));
}

void copy_some(HashTable *hash, int thread, Table *table)
{
    if (table->n_taken >= table->size)
        return;
    unsigned from = atomic_fetch_add(&table->n_taken, COPY_CHUNK);
    unsigned to = from + COPY_CHUNK < table->size ? from + COPY_CHUNK : table->size;
    if (from < to)
        copy_range(hash, thread, table, from, to);
}

void copy_all(HashTable *hash, int thread, Table *table)
{
    copy_range(hash, thread, table, 0, table->size);
}

/* Slots that other threads have moved may not be counted yet; then `hash->table` stays behind, and the loop goes on along the
   chain all the same. */
Table *copy_to_last(HashTable *hash, int thread)
{
    Table *table = first_table(hash);
    for (Table *behind; (behind = table_behind(table)); table = behind)
        copy_all(hash, thread, table);
    return table;
}
