// Threads insert into, remove from and look into one non-blocking list; afterwards it must hold what is left.
// Verdict: safe.
// Exercises: compare-and-swap, marked pointers, memory that is released while others may read it.
//
// -DTHREADS=n   threads                      -DOPS=n      operations of each
// -DKEYS=n      keys                         -DINPUTS     operations and keys are inputs instead of a fixed mix
// -DRECLAIM=n   how memory is reclaimed (reclaim.h)
#include "driver.h"
#include "list.h"
#include "reclaim.h"

static List *list;

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        Operation op = next_operation(me, i);
        Word value = 0;
        switch (op.what) {
        case INSERT:
            if (list_insert(list, me, op.key, value_for(op.key)))
                note_insert(me, op.key);
            break;
        case REMOVE:
            if (list_remove(list, me, op.key, &value)) {
                assert(value == value_for(op.key));
                note_remove(me, op.key);
            }
            break;
        default:
            if (list_find(list, me, op.key, &value))
                assert(value == value_for(op.key));
        }
    }
    return 0;
}

int main(void)
{
    list = list_new();
    for (Key key = 1; key <= KEYS; key += 2)
        if (list_insert(list, 0, key, value_for(key)))
            note_insert(0, key);
    run_threads(work);
    assert(list_is_sorted(list));
    int n_expected = 0;
    for (Key key = 1; key <= KEYS; key++) {
        int n = balance(key);
        assert(n == 0 || n == 1);
        assert(list_has(list, key) == (n == 1));
        n_expected += n;
    }
    assert(list_count(list) == n_expected);
    list_free(list);
    reclaim_all();
    return 0;
}
