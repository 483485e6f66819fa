/* What goes through all keys while others change them.
 *
 * An iteration first moves everything to the last table, so that each key that is there has a slot in it. Then it goes
 * through the slots of that table, whatever is hung behind it meanwhile: a key has one slot in a table, so none comes twice. */
#include "internal.h"

void hash_iterate(HashIterator *iterator, HashTable *hash, int thread)
{
    reclaim_begin(thread);
    iterator->hash = hash;
    iterator->table = copy_to_last(hash, thread);
    iterator->at = 0;
    iterator->thread = thread;
}

/* The value comes from where the key is now, if its slot has been moved since. */
bool hash_next(HashIterator *iterator, Word *key, Word *value)
{
    Table *table = iterator->table;
    while (iterator->at < table->size) {
        Slot *slot = &table->slots[iterator->at++];
        Word there = slot->key;
        if (!is_key(there))
            continue;
        Word word = slot->value;
        if (word == MOVED_UNUSED)
            continue; /* Added since, if it is anywhere. */
        if (word == MOVED)
            word = value_from(iterator->hash, table_behind(table), there);
        if (!is_value(word))
            continue;
        *key = there;
        *value = unpacked(word);
        return true;
    }
    return false;
}

void hash_iterate_end(HashIterator *iterator)
{
    reclaim_end(iterator->thread);
    iterator->table = NULL;
}

unsigned hash_clear(HashTable *hash, int thread)
{
    HashIterator iterator;
    Word key, value;
    unsigned n_removed = 0;
    hash_iterate(&iterator, hash, thread);
    while (hash_next(&iterator, &key, &value))
        n_removed += remove_key(hash, thread, key, NULL);
    hash_iterate_end(&iterator);
    return n_removed;
}

/* The least size at which a table is not more than half full. */
static unsigned least_size_for(const HashTable *hash, unsigned long n_keys)
{
    unsigned size = hash->least_size;
    while (n_keys * 2 > size)
        size *= 2;
    return size;
}

unsigned hash_compact(HashTable *hash, int thread)
{
    reclaim_begin(thread);
    Table *table = copy_to_last(hash, thread);
    Table *smaller = table_append(hash, thread, table, least_size_for(hash, hash_estimate(hash)));
    copy_all(hash, thread, table);
    unsigned size = smaller->size;
    reclaim_end(thread);
    return size;
}
