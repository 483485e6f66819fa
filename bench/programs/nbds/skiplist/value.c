/* Changing the value of a key that is there: replace, compare and swap, add, and any change that is a function.
 *
 * A value changes by compare-and-swap only, and never from GONE, so a change either comes before the removal of the key, which
 * then takes the new value away, or it finds that the key is not there. */
#include "internal.h"

/* The node of a key, protected; null if it is not there. It may be GONE. */
static SkipNode *tower_with(SkipList *list, int thread, Word key)
{
    Path path;
    return skip_seek(list, thread, (Bound){AT_KEY, key}, &path) ? path.after[0] : NULL;
}

bool skiplist_replace(SkipList *list, int thread, Word key, Word value, Word *old)
{
    Word was = GONE;
    assert(value != GONE);
    reclaim_begin(thread);
    SkipNode *node = tower_with(list, thread, key);
    if (node) {
        was = atomic_load(&node->value);
        while (was != GONE && !atomic_compare_exchange_strong(&node->value, &was, value))
            ;
    }
    reclaim_end(thread);
    if (was == GONE)
        return false;
    skip_note(list, thread, SKIP_REPLACED);
    if (old)
        *old = was;
    return true;
}

Outcome skiplist_swap(SkipList *list, int thread, Word key, Word from, Word to)
{
    Word was = GONE;
    bool is_changed = false;
    assert(from != GONE && to != GONE);
    reclaim_begin(thread);
    SkipNode *node = tower_with(list, thread, key);
    if (node) {
        was = from;
        is_changed = atomic_compare_exchange_strong(&node->value, &was, to);
    }
    reclaim_end(thread);
    if (is_changed)
        skip_note(list, thread, SKIP_REPLACED);
    return is_changed ? CHANGED : was == GONE ? MISSING : DIFFERENT;
}

bool skiplist_update(SkipList *list, int thread, Word key, Change *change, void *context, Word *result)
{
    Word was = GONE, now = GONE;
    reclaim_begin(thread);
    SkipNode *node = tower_with(list, thread, key);
    if (node) {
        was = atomic_load(&node->value);
        while (was != GONE) {
            now = change(was, context);
            if (atomic_compare_exchange_strong(&node->value, &was, now))
                break;
        }
        /* Ours to bury if it was alive before. */
        if (was != GONE && now == GONE)
            skip_bury(list, thread, node);
    }
    reclaim_end(thread);
    if (was == GONE)
        return false;
    if (now != GONE)
        skip_note(list, thread, SKIP_REPLACED);
    if (result)
        *result = now;
    return true;
}

static Word sum(Word value, void *amount)
{
    return value + *(Word *)amount;
}

Word skiplist_add(SkipList *list, int thread, Word key, Word amount)
{
    Word result;
    /* If the key comes and goes in between, both may fail; then the other one was faster. */
    while (!skiplist_update(list, thread, key, sum, &amount, &result))
        if (skiplist_insert(list, thread, key, amount))
            return amount;
    return result;
}
