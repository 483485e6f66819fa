/* The skip list as a priority queue: taking keys away from its ends.
 *
 * A key is taken by whoever sets its value to GONE. That it was the first one is true of the moment in which the search saw the
 * link before it lead to it: every key below had been taken by then, or was added later. */
#include "internal.h"

/* Takes what is in a node that is protected; false if somebody else has taken it. */
static bool take(SkipList *list, int thread, SkipNode *node, Word *key, Word *value)
{
    Word was = atomic_exchange(&node->value, GONE);
    if (was == GONE)
        return false;
    /* The node is ours until it is buried. */
    if (key)
        *key = key_copy(list->options, node->key);
    if (value)
        *value = was;
    skip_bury(list, thread, node);
    return true;
}

bool skiplist_remove_due(SkipList *list, int thread, Word limit, Word *key, Word *value)
{
    Path path;
    bool is_taken = false;
    Backoff backoff = backoff_new();
    reclaim_begin(thread);
    while (!is_taken) {
        skip_seek_alive(list, thread, (Bound){AT_FIRST, 0}, &path);
        SkipNode *node = path.after[0];
        if (!node || key_order(list->options, node->key, limit) > 0)
            break;
        is_taken = take(list, thread, node, key, value);
        if (!is_taken)
            backoff_wait(&backoff);
    }
    reclaim_end(thread);
    return is_taken;
}

bool skiplist_remove_first(SkipList *list, int thread, Word *key, Word *value)
{
    Path path;
    bool is_taken = false;
    Backoff backoff = backoff_new();
    reclaim_begin(thread);
    while (!is_taken) {
        skip_seek_alive(list, thread, (Bound){AT_FIRST, 0}, &path);
        if (!path.after[0])
            break;
        is_taken = take(list, thread, path.after[0], key, value);
        if (!is_taken)
            backoff_wait(&backoff);
    }
    reclaim_end(thread);
    return is_taken;
}

bool skiplist_remove_last(SkipList *list, int thread, Word *key, Word *value)
{
    Path path;
    bool is_taken = false;
    reclaim_begin(thread);
    while (!is_taken) {
        skip_seek(list, thread, (Bound){AT_END, 0}, &path);
        SkipNode *node = skip_holder(list, path.before[0], 0);
        if (!node)
            break;
        is_taken = take(list, thread, node, key, value);
        if (!is_taken)
            skip_help(list, thread, node);
    }
    reclaim_end(thread);
    return is_taken;
}

/* Where a thread begins to take: the place of its lot among the candidates. */
static int draw_place(SkipList *list, int thread, int n_candidates)
{
    int n = 0;
    while (n + 1 < n_candidates && skip_draw_height(list, thread) > 1)
        n++;
    return n;
}

bool skiplist_remove_near_first(SkipList *list, int thread, int n_candidates, Word *key, Word *value)
{
    SkipCursor cursor;
    bool is_taken = false;
    int n_to_pass = draw_place(list, thread, n_candidates);
    if (!skiplist_cursor_open(&cursor, list, thread, NULL))
        return skiplist_remove_first(list, thread, key, value);
    for (int i = 0; i < n_candidates && !is_taken; i++) {
        Word own;
        if (!skiplist_cursor_next(&cursor, &own, NULL))
            break;
        if (i < n_to_pass)
            continue;
        if (key)
            own = key_copy(list->options, own);
        is_taken = skiplist_cursor_remove(&cursor, value);
        if (key && is_taken)
            *key = own;
        else if (key)
            key_release(list->options, own);
    }
    skiplist_cursor_close(&cursor);
    /* The candidates were few, or others have taken them. */
    return is_taken || skiplist_remove_first(list, thread, key, value);
}
