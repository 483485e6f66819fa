// Threads insert into, remove from and look into one non-blocking skip list; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: several links of one node changed one by one, two users of one node, searches that have to begin anew.
//
// Parameters as in driver_list.c; -DTALL gives every node the full height.
#include "driver.h"
#include "skiplist.h"
#include "reclaim.h"

static SkipList *list;

static int height_for(Key key)
{
#ifdef TALL
    (void)key;
    return MAX_HEIGHT;
#else
    return skiplist_height(key);
#endif
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        Operation op = next_operation(me, i);
        Word value = 0;
        switch (op.what) {
        case INSERT:
            if (skiplist_insert(list, me, op.key, value_for(op.key), height_for(op.key)))
                note_insert(me, op.key);
            break;
        case REMOVE:
            if (skiplist_remove(list, me, op.key, &value)) {
                assert(value == value_for(op.key));
                note_remove(me, op.key);
            }
            break;
        default:
            if (skiplist_find(list, me, op.key, &value))
                assert(value == value_for(op.key));
        }
    }
    return 0;
}

int main(void)
{
    list = skiplist_new();
    for (Key key = 1; key <= KEYS; key += 2)
        if (skiplist_insert(list, 0, key, value_for(key), height_for(key)))
            note_insert(0, key);
    run_threads(work);
    assert(skiplist_is_sound(list));
    int n_expected = 0;
    for (Key key = 1; key <= KEYS; key++) {
        int n = balance(key);
        assert(n == 0 || n == 1);
        assert(skiplist_has(list, key) == (n == 1));
        n_expected += n;
    }
    assert(skiplist_count(list) == n_expected);
    skiplist_free(list);
    reclaim_all();
    return 0;
}
