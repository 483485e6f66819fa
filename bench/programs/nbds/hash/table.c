/* Tables: how they are made, how large the next one is, and the end of them all. */
#include "internal.h"

Table *table_new(unsigned size)
{
    Table *table = obtain(sizeof *table + size * sizeof(Slot));
    table->size = size;
    atomic_init(&table->n_taken, 0);
    atomic_init(&table->n_moved, 0);
    atomic_init(&table->next, 0);
    for (unsigned i = 0; i < size; i++) {
        atomic_init(&table->slots[i].key, 0);
        atomic_init(&table->slots[i].value, EMPTY);
    }
    return table;
}

HashTable *hash_new_for(const KeyKind *keys, unsigned first_size)
{
    assert(first_size > 0 && (first_size & (first_size - 1)) == 0);
    HashTable *hash = obtain(sizeof *hash);
    hash->keys = keys;
    hash->least_size = first_size;
    for (int thread = 0; thread < MAX_THREADS; thread++) {
        atomic_init(&hash->stripes[thread].n_keys, 0);
        for (int event = 0; event < N_EVENTS; event++)
            atomic_init(&hash->stripes[thread].n_events[event], 0);
    }
    atomic_init(&hash->table, (uintptr_t)table_new(first_size));
    return hash;
}

HashTable *hash_new(void)
{
    return hash_new_for(&number_keys, FIRST_SIZE);
}

/* How large a table behind this one should be, in which `key` has to find a slot.
 *
 * The estimate may lag behind, so it alone could choose the same size again and again and never make room. A table of the same
 * size or a smaller one is therefore made only if a removed key is in the way: then at least that one goes. */
static unsigned wished_size(HashTable *hash, Table *table, Word key)
{
    unsigned long n_keys = hash_estimate(hash);
    unsigned size = table->size;
    if (n_keys * 2 >= size || !probe_meets_removed(hash, table, key))
        return size * 2;
    if (n_keys * 8 <= size && size > hash->least_size)
        return size / 2;
    return size;
}

Table *table_append(HashTable *hash, int thread, Table *table, unsigned size)
{
    Table *behind = table_new(size);
    uintptr_t there = 0;
    if (!atomic_compare_exchange_strong(&table->next, &there, (uintptr_t)behind)) {
        free(behind);
        count_event(hash, thread, IN_VAIN, 1);
        return (Table *)there;
    }
    count_event(hash, thread, size > table->size ? GROWN : size < table->size ? SHRUNK : PURGED, 1);
    return behind;
}

Table *table_behind_for(HashTable *hash, int thread, Table *table, Word key)
{
    Table *behind = table_behind(table);
    return behind ? behind : table_append(hash, thread, table, wished_size(hash, table, key));
}

int hash_size(HashTable *hash)
{
    Table *table = first_table(hash);
    while (table_behind(table))
        table = table_behind(table);
    return (int)table->size;
}

/* A slot that is moved takes its key along, so while tables are being left a key may stand in two of them; in the last one
   each is once. */
void hash_free(HashTable *hash)
{
    Table *last = copy_to_last(hash, 0);
    if (hash->keys->copy)
        for (unsigned i = 0; i < last->size; i++)
            free((void *)atomic_load(&last->slots[i].key));
    free(last);
    free(hash);
}
