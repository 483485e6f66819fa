/* A hash table without locks that grows; see hashtable.h. */
#include "hashtable.h"
#include "reclaim.h"

/* What stands in a slot: nothing yet, a value that was removed, a slot that was moved, or a value, shifted, which may be
   frozen. */
#define EMPTY ((Word)0)
#define REMOVED ((Word)1)
#define MOVED ((Word)2)
#define FROZEN ((Word)3)
#define FLAGS ((Word)3)

typedef struct {
    _Atomic Key key;
    _Atomic Word value;
} Slot;

typedef struct Table {
    unsigned size; /* A power of two. */
    atomic_uint n_moved;
    Link next;
    Slot slots[];
} Table;

struct HashTable {
    Link table;
};

static Word packed(Word value)
{
    return value << 2;
}

static Word unpacked(Word word)
{
    return word >> 2;
}

/* A value that is there, frozen or not. */
static bool is_value(Word word)
{
    return word > FLAGS && ((word & FLAGS) == 0 || (word & FLAGS) == FROZEN);
}

static bool is_frozen(Word word)
{
    return word > FLAGS && (word & FLAGS) == FROZEN;
}

static Table *table_new(unsigned size)
{
    Table *table = obtain(sizeof *table + size * sizeof(Slot));
    table->size = size;
    atomic_init(&table->n_moved, 0);
    atomic_init(&table->next, 0);
    for (unsigned i = 0; i < size; i++) {
        atomic_init(&table->slots[i].key, 0);
        atomic_init(&table->slots[i].value, EMPTY);
    }
    return table;
}

HashTable *hash_new(void)
{
    HashTable *hash = obtain(sizeof *hash);
    atomic_init(&hash->table, (uintptr_t)table_new(FIRST_SIZE));
    return hash;
}

static unsigned first_slot(const Table *table, Key key)
{
    return (key * 2654435761u >> 7) & (table->size - 1);
}

/* How far a key may be from its first slot; beyond, the table counts as full. */
static unsigned reach(const Table *table)
{
    return table->size < 4 ? table->size : table->size / 2 + 1;
}

/* The slot of a key; null if it has none. A missing slot is claimed if `claim` is set; null then means that the table is
   full. */
static Slot *slot_of(Table *table, Key key, bool claim)
{
    unsigned at = first_slot(table, key);
    for (unsigned i = 0; i < reach(table); i++) {
        Slot *slot = &table->slots[(at + i) & (table->size - 1)];
        Key there = slot->key;
        if (there == 0) {
            if (!claim)
                return NULL;
            if (atomic_compare_exchange_strong(&slot->key, &there, key))
                return slot;
        }
        if (there == key)
            return slot;
    }
    return NULL;
}

/* The table behind this one; made if there is none. */
static Table *next_table(Table *table)
{
    uintptr_t next = table->next;
    if (!next) {
        Table *larger = table_new(table->size * 2);
        if (swap_link(&table->next, 0, (uintptr_t)larger))
            return larger;
        free(larger);
        next = table->next;
    }
    return (Table *)next;
}

/* Puts a value that is being moved into `table` or one behind it, unless the key has been there since. */
static void settle(Table *table, Key key, Word word)
{
    for (;;) {
        Slot *slot = slot_of(table, key, true);
        if (slot) {
            Word empty = EMPTY;
            if (atomic_compare_exchange_strong(&slot->value, &empty, word) || empty != MOVED)
                return;
        }
        table = next_table(table);
    }
}

/* Moves one slot; true if this call was the one that did it. */
static bool move_slot(Table *table, Table *next, Slot *slot)
{
    for (;;) {
        Word word = slot->value;
        if (word == MOVED)
            return false;
        if (!is_value(word)) {
            if (atomic_compare_exchange_strong(&slot->value, &word, MOVED))
                return true;
            continue;
        }
#ifndef MOVE_WITHOUT_FREEZING
        if (!is_frozen(word)) {
            if (!atomic_compare_exchange_strong(&slot->value, &word, word | FROZEN))
                continue;
            word |= FROZEN;
        }
#endif
        settle(next, slot->key, word & ~FLAGS);
        if (atomic_compare_exchange_strong(&slot->value, &word, MOVED))
            return true;
    }
}

/* Moves everything to the table behind; the one who moves the last slot replaces the table. */
static void move_all(HashTable *hash, int thread, Table *table)
{
    Table *next = (Table *)(uintptr_t)table->next;
    for (unsigned i = 0; i < table->size; i++) {
        if (!move_slot(table, next, &table->slots[i]))
            continue;
        if (atomic_fetch_add(&table->n_moved, 1) + 1 == table->size
            && swap_link(&hash->table, (uintptr_t)table, (uintptr_t)next))
            reclaim_retire(thread, table);
    }
}

/* What an update wants to find. */
typedef enum { ANYTHING, NOTHING, SOMETHING, EXACTLY } Wish;

/* Changes the value of a key to `to` if what is there is as wished. Returns what was there; `is_done` says whether it was
   changed. */
static Word update(HashTable *hash, int thread, Key key, Wish wish, Word from, Word to, bool *is_done)
{
    *is_done = false;
    Table *table = (Table *)(uintptr_t)hash->table;
    for (;;) {
        if (table->next) {
            move_all(hash, thread, table);
            table = (Table *)(uintptr_t)table->next;
            continue;
        }
        Slot *slot = slot_of(table, key, wish != SOMETHING && wish != EXACTLY);
        if (!slot) {
            if (wish == SOMETHING || wish == EXACTLY) {
                if (!table->next)
                    return EMPTY;
                continue;
            }
            next_table(table);
            continue;
        }
        Word word = slot->value;
        if (word == MOVED || is_frozen(word))
            continue; /* There is a table behind by now. */
        bool is_there = is_value(word);
        bool is_wished = wish == ANYTHING || (wish == NOTHING && !is_there) || (wish == SOMETHING && is_there)
                      || (wish == EXACTLY && word == from);
        if (!is_wished)
            return word;
        if (atomic_compare_exchange_strong(&slot->value, &word, to)) {
            *is_done = true;
            return word;
        }
    }
}

bool hash_insert(HashTable *hash, int thread, Key key, Word value)
{
    bool is_done;
    reclaim_begin(thread);
    update(hash, thread, key, NOTHING, 0, packed(value), &is_done);
    reclaim_end(thread);
    return is_done;
}

bool hash_put(HashTable *hash, int thread, Key key, Word value, Word *old)
{
    bool is_done;
    reclaim_begin(thread);
    Word was = update(hash, thread, key, ANYTHING, 0, packed(value), &is_done);
    reclaim_end(thread);
    if (is_value(was) && old)
        *old = unpacked(was);
    return is_value(was);
}

bool hash_replace(HashTable *hash, int thread, Key key, Word from, Word to)
{
    bool is_done;
    reclaim_begin(thread);
    update(hash, thread, key, EXACTLY, packed(from), packed(to), &is_done);
    reclaim_end(thread);
    return is_done;
}

bool hash_remove(HashTable *hash, int thread, Key key, Word *value)
{
    bool is_done;
    reclaim_begin(thread);
    Word was = update(hash, thread, key, SOMETHING, 0, REMOVED, &is_done);
    reclaim_end(thread);
    if (is_done && value)
        *value = unpacked(was);
    return is_done;
}

bool hash_find(HashTable *hash, int thread, Key key, Word *value)
{
    bool is_there = false;
    reclaim_begin(thread);
    for (Table *table = (Table *)(uintptr_t)hash->table; table; table = (Table *)(uintptr_t)table->next) {
        Slot *slot = slot_of(table, key, false);
        if (!slot)
            continue; /* Not here; perhaps behind. */
        Word word = slot->value;
        if (is_frozen(word))
            move_slot(table, (Table *)(uintptr_t)table->next, slot);
        else if (word != MOVED) {
            is_there = is_value(word);
            if (is_there && value)
                *value = unpacked(word);
            break;
        }
    }
    reclaim_end(thread);
    return is_there;
}

static Table *last_table(const HashTable *hash)
{
    Table *table = (Table *)(uintptr_t)hash->table;
    while (table->next)
        table = (Table *)(uintptr_t)table->next;
    return table;
}

int hash_size(const HashTable *hash)
{
    return (int)last_table(hash)->size;
}

int hash_count(HashTable *hash)
{
    int n = 0;
    for (Table *table = (Table *)(uintptr_t)hash->table; table; table = (Table *)(uintptr_t)table->next)
        for (unsigned i = 0; i < table->size; i++)
            n += is_value(table->slots[i].value);
    return n;
}

bool hash_is_sound(HashTable *hash)
{
    for (Table *table = (Table *)(uintptr_t)hash->table; table; table = (Table *)(uintptr_t)table->next)
        for (unsigned i = 0; i < table->size; i++) {
            Slot *slot = &table->slots[i];
            if (is_value(slot->value) && slot_of(table, slot->key, false) != slot)
                return false;
            if (is_frozen(slot->value))
                return false; /* Who froze it moves it before the operation ends. */
        }
    return true;
}

void hash_free(HashTable *hash)
{
    Table *table = (Table *)(uintptr_t)hash->table;
    while (table) {
        Table *next = (Table *)(uintptr_t)table->next;
        free(table);
        table = next;
    }
    free(hash);
}
