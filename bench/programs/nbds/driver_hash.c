// Threads insert into, remove from and look into one non-blocking hash table; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: claims by compare-and-swap, growth that all threads help with, values that are frozen while they move.
//
// Parameters as in driver_list.c; -DFIRST_SIZE=n is the first number of slots: 2 lets the table grow while it is used.
#include "driver.h"
#include "hashtable.h"
#include "reclaim.h"

static HashTable *hash;

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        Operation op = next_operation(me, i);
        Word value = 0;
        switch (op.what) {
        case INSERT:
            if (hash_insert(hash, me, op.key, value_for(op.key)))
                note_insert(me, op.key);
            break;
        case REMOVE:
            if (hash_remove(hash, me, op.key, &value)) {
                assert(value == value_for(op.key));
                note_remove(me, op.key);
            }
            break;
        default:
            if (hash_find(hash, me, op.key, &value))
                assert(value == value_for(op.key));
        }
    }
    return 0;
}

int main(void)
{
    hash = hash_new();
    for (Key key = 1; key <= KEYS; key += 2)
        if (hash_insert(hash, 0, key, value_for(key)))
            note_insert(0, key);
    run_threads(work);
    assert(hash_is_sound(hash));
    int n_expected = 0;
    for (Key key = 1; key <= KEYS; key++) {
        int n = balance(key);
        Word value = 0;
        assert(n == 0 || n == 1);
        assert(hash_find(hash, 0, key, &value) == (n == 1));
        assert(n == 0 || value == value_for(key));
        n_expected += n;
    }
    assert(hash_count(hash) == n_expected);
    hash_free(hash);
    reclaim_all();
    return 0;
}
