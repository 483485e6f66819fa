/* The program that the drivers of sets share: threads insert, remove and look for keys; afterwards what is left must be there.
 *
 * A driver includes this last. Before, it names its structure: the type `Set`, and by `SET(operation)` the function for an
 * operation. `INSERT_KEY` is its own where inserting needs more than a key and a value. */
#ifndef NBDS_MIX_H
#define NBDS_MIX_H

#include "driver.h"
#include "reclaim.h"

#ifndef INSERT_KEY
#define INSERT_KEY(set, thread, key) SET(insert)(set, thread, key, value_for(key))
#endif

static Set *set;

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < OPS; i++) {
        Operation op = next_operation(me, i);
        Word value = 0;
        switch (op.what) {
        case INSERT:
            if (INSERT_KEY(set, me, op.key))
                note_insert(me, op.key);
            break;
        case REMOVE:
            if (SET(remove)(set, me, op.key, &value)) {
                assert(value == value_for(op.key));
                note_remove(me, op.key);
            }
            break;
        default:
            if (SET(find)(set, me, op.key, &value))
                assert(value == value_for(op.key));
        }
    }
    return 0;
}

int main(void)
{
    set = SET(new)();
    for (Key key = 1; key <= KEYS; key += 2)
        if (INSERT_KEY(set, 0, key))
            note_insert(0, key);
    run_threads(work);
    assert(SET(is_sound)(set));
    int n_expected = 0;
    for (Key key = 1; key <= KEYS; key++) {
        int n = balance(key);
        Word value = 0;
        assert(n == 0 || n == 1);
        assert(SET(find)(set, 0, key, &value) == (n == 1));
        assert(n == 0 || value == value_for(key));
        n_expected += n;
    }
    assert(SET(count)(set) == n_expected);
    SET(free)(set);
    reclaim_all();
    return 0;
}

#endif
