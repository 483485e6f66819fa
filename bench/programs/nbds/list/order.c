/* The order of the keys: first and last, neighbours of a key, and taking the first one away.
 *
 * Upwards, the node that a search ends at is the answer: at one moment the link before it, whose key was below the bound, led
 * to it, and it was alive. Downwards it is the node that holds that link, if it was alive as well. */
#include "internal.h"

/* Hands out what is in a node that is protected; false if it was deleted meanwhile. */
static bool hand_out(const List *list, ListNode *node, Word *key, Word *value)
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
static bool find_upwards(List *list, int thread, Bound bound, Word *key, Word *value)
{
    Place place;
    bool is_there = false;
    reclaim_begin(thread);
    do
        list_seek_alive(list, thread, bound, NULL, &place);
    while (place.node && !(is_there = hand_out(list, place.node, key, value)));
    reclaim_end(thread);
    return is_there;
}

/* The last key before a bound; with `or_same` a key at the bound is as good. */
static bool find_downwards(List *list, int thread, Bound bound, bool or_same, Word *key, Word *value)
{
    Place place;
    bool is_there = false;
    reclaim_begin(thread);
    for (;;) {
        bool is_same = list_seek(list, thread, bound, NULL, &place);
        ListNode *node = is_same && or_same ? place.node : list_holder(list, place.before);
        if (!node)
            break;
        is_there = hand_out(list, node, key, value);
        if (is_there)
            break;
        /* Deleted, but still linked. */
        list_help(list, thread, node);
    }
    reclaim_end(thread);
    return is_there;
}

bool list_first(List *list, int thread, Word *key, Word *value)
{
    return find_upwards(list, thread, (Bound){AT_FIRST, 0}, key, value);
}

bool list_ceiling(List *list, int thread, Word from, Word *key, Word *value)
{
    return find_upwards(list, thread, (Bound){AT_KEY, from}, key, value);
}

bool list_above(List *list, int thread, Word from, Word *key, Word *value)
{
    return find_upwards(list, thread, (Bound){ABOVE_KEY, from}, key, value);
}

bool list_last(List *list, int thread, Word *key, Word *value)
{
    return find_downwards(list, thread, (Bound){AT_END, 0}, false, key, value);
}

bool list_floor(List *list, int thread, Word from, Word *key, Word *value)
{
    return find_downwards(list, thread, (Bound){AT_KEY, from}, true, key, value);
}

bool list_below(List *list, int thread, Word from, Word *key, Word *value)
{
    return find_downwards(list, thread, (Bound){AT_KEY, from}, false, key, value);
}

bool list_remove_first(List *list, int thread, Word *key, Word *value)
{
    Place place;
    Word was = GONE;
    reclaim_begin(thread);
    for (;;) {
        list_seek_alive(list, thread, (Bound){AT_FIRST, 0}, NULL, &place);
        ListNode *node = place.node;
        if (!node)
            break;
        was = atomic_exchange(&node->value, GONE);
        if (was == GONE)
            continue; /* Somebody else has taken it. */
        /* The node is ours, but others may unlink and retire it as soon as it is marked. */
        Word own = key_copy(list->options, node->key);
        list_unlink(list, thread, own, node, &place);
        list_note(list, thread, REMOVED);
        if (key)
            *key = own;
        else
            key_release(list->options, own);
        if (value)
            *value = was;
        break;
    }
    reclaim_end(thread);
    return was != GONE;
}
