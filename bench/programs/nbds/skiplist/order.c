/* The order of the keys: first and last, and the neighbours of a key.
 *
 * Upwards, the node that a search ends at is the answer: at one moment the link before it, whose key was below the bound, led
 * to it, and it was alive. Downwards it is the node that holds that link, if it was alive as well. */
#include "internal.h"

/* Hands out what is in a node that is protected; false if it was deleted meanwhile. */
static bool tell(const SkipList *list, SkipNode *node, Word *key, Word *value)
{
    Word seen = atomic_load(&node->value);
    if (seen == GONE)
        return false;
    if (key)
        *key = key_copy(list->options, node->key);
    if (value)
        *value = seen;
    return true;
}

/* The first key at or behind a bound. */
static bool look_upwards(SkipList *list, int thread, Bound bound, Word *key, Word *value)
{
    Path path;
    bool is_there = false;
    reclaim_begin(thread);
    do
        skip_seek_alive(list, thread, bound, &path);
    while (path.after[0] && !(is_there = tell(list, path.after[0], key, value)));
    reclaim_end(thread);
    return is_there;
}

/* The last key before a bound; with `or_same` a key at the bound is as good. */
static bool look_downwards(SkipList *list, int thread, Bound bound, bool or_same, Word *key, Word *value)
{
    Path path;
    bool is_there = false;
    reclaim_begin(thread);
    for (;;) {
        bool is_same = skip_seek(list, thread, bound, &path);
        SkipNode *node = is_same && or_same ? path.after[0] : skip_holder(list, path.before[0], 0);
        if (!node)
            break;
        is_there = tell(list, node, key, value);
        if (is_there)
            break;
        /* Deleted, but still linked. */
        skip_help(list, thread, node);
    }
    reclaim_end(thread);
    return is_there;
}

bool skiplist_first(SkipList *list, int thread, Word *key, Word *value)
{
    return look_upwards(list, thread, (Bound){AT_FIRST, 0}, key, value);
}

bool skiplist_ceiling(SkipList *list, int thread, Word from, Word *key, Word *value)
{
    return look_upwards(list, thread, (Bound){AT_KEY, from}, key, value);
}

bool skiplist_above(SkipList *list, int thread, Word from, Word *key, Word *value)
{
    return look_upwards(list, thread, (Bound){ABOVE_KEY, from}, key, value);
}

bool skiplist_last(SkipList *list, int thread, Word *key, Word *value)
{
    return look_downwards(list, thread, (Bound){AT_END, 0}, false, key, value);
}

bool skiplist_floor(SkipList *list, int thread, Word from, Word *key, Word *value)
{
    return look_downwards(list, thread, (Bound){AT_KEY, from}, true, key, value);
}

bool skiplist_below(SkipList *list, int thread, Word from, Word *key, Word *value)
{
    return look_downwards(list, thread, (Bound){AT_KEY, from}, false, key, value);
}
