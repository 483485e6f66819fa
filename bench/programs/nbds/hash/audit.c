/* Whether a table that nobody uses is as it must be; see HashFault.
 *
 * The audit looks at slots, not through operations: it must not repair what it is to find. */
#include "internal.h"

static bool is_bad_size(const HashTable *hash, unsigned size)
{
    return size < hash->least_size || (size & (size - 1)) != 0;
}

static bool is_live_from(const HashTable *hash, Table *table, Word key)
{
    for (; table; table = table_behind(table)) {
        Probe probe = probe_find(hash, table, key);
        if (probe.slot && is_value(probe.slot->value))
            return true;
    }
    return false;
}

static HashFault fault_of_slot(HashTable *hash, Table *table, Slot *slot)
{
    Word key = slot->key, word = slot->value;
    if (!is_key(key) && word != EMPTY)
        return HASH_VALUE_WITHOUT_KEY;
    if (key == FREE)
        return HASH_SOUND;
    if (key == CLOSED)
        return table_behind(table) ? HASH_SOUND : HASH_MOVED_TO_NOWHERE;
    if (is_frozen(word))
        return HASH_FROZEN_SLOT;
    if (probe_find(hash, table, key).slot != slot)
        return HASH_UNREACHABLE_KEY;
    if (is_value(word) && is_live_from(hash, table_behind(table), key))
        return HASH_KEY_IN_TWO_TABLES;
    if (is_moved(word) && !table_behind(table))
        return HASH_MOVED_TO_NOWHERE;
    return HASH_SOUND;
}

static void note(HashAudit *audit, HashFault fault, Word key)
{
    if (audit->fault == HASH_SOUND && fault != HASH_SOUND) {
        audit->fault = fault;
        audit->key = key;
    }
}

static void audit_slot(HashAudit *audit, HashTable *hash, Table *table, Slot *slot)
{
    Word key = slot->key, word = slot->value;
    note(audit, fault_of_slot(hash, table, slot), key);
    audit->n_keys += is_value(word);
    audit->n_removed += word == REMOVED;
    if (is_value(word)) {
        int length = (int)probe_length(hash, table, slot, key);
        if (length > audit->longest_probe)
            audit->longest_probe = length;
    }
}

static void audit_table(HashAudit *audit, HashTable *hash, Table *table)
{
    unsigned n_moved = 0;
    if (is_bad_size(hash, table->size)) {
        note(audit, HASH_BAD_SIZE, 0);
        return;
    }
    for (unsigned i = 0; i < table->size; i++) {
        audit_slot(audit, hash, table, &table->slots[i]);
        n_moved += is_moved(table->slots[i].value) || table->slots[i].key == CLOSED;
    }
    if (table->n_moved != n_moved)
        note(audit, HASH_WRONG_NUMBER_OF_MOVES, 0);
    if (n_moved == table->size && table == first_table(hash))
        note(audit, HASH_EMPTIED_TABLE_STAYS, 0);
}

HashAudit hash_audit(HashTable *hash)
{
    HashAudit audit = {HASH_SOUND, 0, 0, 0, 0, 0};
    for (Table *table = first_table(hash); table; table = table_behind(table)) {
        audit_table(&audit, hash, table);
        audit.n_tables++;
    }
    if (hash_estimate(hash) != (unsigned long)audit.n_keys)
        note(&audit, HASH_WRONG_COUNT, 0);
    return audit;
}

const char *hash_fault_name(HashFault fault)
{
    static const char *const names[] = {
        [HASH_SOUND] = "sound",
        [HASH_BAD_SIZE] = "the size is no power of two, or too small",
        [HASH_VALUE_WITHOUT_KEY] = "a value stands beside no key",
        [HASH_FROZEN_SLOT] = "a frozen slot was left",
        [HASH_UNREACHABLE_KEY] = "a key is not where a search ends",
        [HASH_KEY_IN_TWO_TABLES] = "a key has values in two tables",
        [HASH_MOVED_TO_NOWHERE] = "a slot was moved to nowhere",
        [HASH_WRONG_NUMBER_OF_MOVES] = "the number of moved slots is wrong",
        [HASH_EMPTIED_TABLE_STAYS] = "searches begin in a table that is moved",
        [HASH_WRONG_COUNT] = "the number of keys is wrong",
    };
    return names[fault];
}

bool hash_is_sound(HashTable *hash)
{
    return hash_audit(hash).fault == HASH_SOUND;
}

int hash_count(HashTable *hash)
{
    return hash_audit(hash).n_keys;
}
