/* Operations on one key.
 *
 * All updates are one: "change the value of this key to that, if what is there is as wished". It takes effect when the value
 * of a slot that is not frozen is swapped. The slot is in the first table of the chain in which the key's slot is not moved:
 * a key that is new to a table claims a slot even if the table is being left, and moves it, so that who looks for it later
 * does not stop at the free slot. */
#include "internal.h"

/* What an update wants to find. */
typedef enum { ANYTHING, NOTHING, SOMETHING, EXACTLY } Wish;

typedef struct {
    Word was;
    bool is_done;
} Update;

static bool is_as_wished(Word word, Wish wish, Word from)
{
    switch (wish) {
    case ANYTHING:
        return true;
    case NOTHING:
        return !is_value(word);
    case SOMETHING:
        return is_value(word);
    default:
        return word == from;
    }
}

/* The table in which an update goes on that has found no slot within reach; null if the key is nowhere. */
static Table *beyond(HashTable *hash, int thread, Table *table, Word key, bool may_add)
{
    Table *behind = may_add ? table_behind_for(hash, thread, table, key) : table_behind(table);
    if (behind)
        copy_some(hash, thread, table);
    return behind;
}

static Update update(HashTable *hash, int thread, Word key, Wish wish, Word from, Word to)
{
    bool may_add = wish == ANYTHING || wish == NOTHING;
    Table *table = first_table(hash);
    while (table) {
        Probe probe = may_add ? probe_claim(hash, table, key, COPY_OF_KEY) : probe_find(hash, table, key);
        if (probe.end == SLOT_ABSENT)
            break;
        if (probe.end == SLOT_BEYOND) {
            table = beyond(hash, thread, table, key, may_add);
            continue;
        }
        Slot *slot = probe.slot;
        Table *behind = table_behind(table);
        while (!behind) {
            Word word = slot->value;
            if (is_frozen(word) || is_moved(word)) {
                behind = table_behind(table); /* It is there by now. */
                break;
            }
            if (!is_as_wished(word, wish, from))
                return (Update){word, false};
            if (atomic_compare_exchange_strong(&slot->value, &word, to)) {
                count_keys(hash, thread, word, to);
                return (Update){word, true};
            }
            count_event(hash, thread, CONFLICT, 1);
        }
        copy_slot(hash, thread, table, slot);
        copy_some(hash, thread, table);
        table = behind;
    }
    return (Update){EMPTY, false};
}

/* A frozen value counts: until the slot is moved, nobody can have changed the key behind. So who looks need not help. */
Word value_from(const HashTable *hash, Table *table, Word key)
{
    for (; table; table = table_behind(table)) {
        Probe probe = probe_find(hash, table, key);
        if (probe.end == SLOT_ABSENT)
            break;
        if (probe.end == SLOT_BEYOND)
            continue;
        Word word = probe.slot->value;
        if (!is_moved(word))
            return word;
    }
    return EMPTY;
}

static void give(Word *to, Word word)
{
    if (to && is_value(word))
        *to = unpacked(word);
}

bool hash_find(HashTable *hash, int thread, Word key, Word *value)
{
    reclaim_begin(thread);
    Word word = value_from(hash, first_table(hash), key);
    reclaim_end(thread);
    give(value, word);
    return is_value(word);
}

static Update update_protected(HashTable *hash, int thread, Word key, Wish wish, Word from, Word to)
{
    reclaim_begin(thread);
    Update done = update(hash, thread, key, wish, from, to);
    reclaim_end(thread);
    return done;
}

bool hash_insert(HashTable *hash, int thread, Word key, Word value)
{
    return update_protected(hash, thread, key, NOTHING, 0, packed(value)).is_done;
}

bool hash_put(HashTable *hash, int thread, Word key, Word value, Word *old)
{
    Update done = update_protected(hash, thread, key, ANYTHING, 0, packed(value));
    give(old, done.was);
    return is_value(done.was);
}

bool hash_replace(HashTable *hash, int thread, Word key, Word value, Word *old)
{
    Update done = update_protected(hash, thread, key, SOMETHING, 0, packed(value));
    give(old, done.was);
    return done.is_done;
}

bool hash_compare_and_swap(HashTable *hash, int thread, Word key, Word from, Word to)
{
    return update_protected(hash, thread, key, EXACTLY, packed(from), packed(to)).is_done;
}

Word hash_add(HashTable *hash, int thread, Word key, Word summand)
{
    reclaim_begin(thread);
    Word word = value_from(hash, first_table(hash), key);
    for (;;) {
        bool is_there = is_value(word);
        Word sum = (is_there ? unpacked(word) : 0) + summand;
        Word from = word & ~IS_FROZEN;
        Update done = update(hash, thread, key, is_there ? EXACTLY : NOTHING, from, packed(sum));
        if (done.is_done) {
            reclaim_end(thread);
            return sum;
        }
        word = done.was;
    }
}

bool remove_key(HashTable *hash, int thread, Word key, Word *value)
{
    Update done = update(hash, thread, key, SOMETHING, 0, REMOVED);
    give(value, done.was);
    return done.is_done;
}

bool hash_remove(HashTable *hash, int thread, Word key, Word *value)
{
    reclaim_begin(thread);
    bool is_done = remove_key(hash, thread, key, value);
    reclaim_end(thread);
    return is_done;
}

bool hash_remove_if(HashTable *hash, int thread, Word key, Word value)
{
    return update_protected(hash, thread, key, EXACTLY, packed(value), REMOVED).is_done;
}
