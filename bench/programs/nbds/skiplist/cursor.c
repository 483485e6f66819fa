/* Cursors, and what is built on them.
 *
 * A cursor holds on to the node that it stands on, so that the node's key can be read even when the key has been removed. From
 * a node that is not marked it steps along the lowest level. From one that is, it looks for the first key above it from the top
 * down. */
#include "internal.h"

bool skiplist_cursor_open(SkipCursor *cursor, SkipList *list, int thread, const Word *from)
{
    *cursor = (SkipCursor){list, thread, reclaim_pin(thread, NULL), NULL, from != NULL, from ? *from : 0};
    return cursor->pin >= 0;
}

/* Moves the cursor to the first key at a bound that is alive; `steps` says whether that is likely to be near. */
static bool move_to(SkipCursor *cursor, Bound bound, bool steps, Word *key, Word *value)
{
    Path path;
    Word seen = GONE;
    SkipNode *node = NULL;
    reclaim_begin(cursor->thread);
    while (seen == GONE) {
        if (!steps || !cursor->at || !skip_step(cursor->list, cursor->thread, bound, cursor->at, &path))
            skip_seek(cursor->list, cursor->thread, bound, &path);
        node = path.after[0];
        if (!node)
            break;
        seen = atomic_load(&node->value);
        if (seen == GONE)
            skip_help(cursor->list, cursor->thread, node);
    }
    if (node) {
        reclaim_repin(cursor->thread, cursor->pin, node);
        cursor->at = node;
    }
    reclaim_end(cursor->thread);
    if (!node)
        return false;
    if (key)
        *key = node->key;
    if (value)
        *value = seen;
    return true;
}

bool skiplist_cursor_next(SkipCursor *cursor, Word *key, Word *value)
{
    if (cursor->at)
        return move_to(cursor, (Bound){ABOVE_KEY, cursor->at->key}, true, key, value);
    if (cursor->has_bound)
        return move_to(cursor, (Bound){AT_KEY, cursor->bound}, false, key, value);
    return move_to(cursor, (Bound){AT_FIRST, 0}, false, key, value);
}

bool skiplist_cursor_skip(SkipCursor *cursor, Word key, Word *found, Word *value)
{
    if (cursor->at && key_order(cursor->list->options, cursor->at->key, key) >= 0) {
        Word seen = atomic_load(&cursor->at->value);
        if (seen == GONE)
            return skiplist_cursor_next(cursor, found, value);
        if (found)
            *found = cursor->at->key;
        if (value)
            *value = seen;
        return true;
    }
    if (!cursor->at && cursor->has_bound && key_order(cursor->list->options, cursor->bound, key) >= 0)
        return skiplist_cursor_next(cursor, found, value);
    return move_to(cursor, (Bound){AT_KEY, key}, false, found, value);
}

bool skiplist_cursor_remove(SkipCursor *cursor, Word *value)
{
    if (!cursor->at)
        return false;
    Word was = atomic_exchange(&cursor->at->value, GONE);
    if (was == GONE)
        return false;
    reclaim_begin(cursor->thread);
    skip_bury(cursor->list, cursor->thread, cursor->at);
    reclaim_end(cursor->thread);
    if (value)
        *value = was;
    return true;
}

bool skiplist_cursor_replace(SkipCursor *cursor, Word value, Word *old)
{
    assert(value != GONE);
    if (!cursor->at)
        return false;
    Word was = atomic_load(&cursor->at->value);
    while (was != GONE && !atomic_compare_exchange_strong(&cursor->at->value, &was, value))
        ;
    if (was == GONE)
        return false;
    skip_note(cursor->list, cursor->thread, SKIP_REPLACED);
    if (old)
        *old = was;
    return true;
}

void skiplist_cursor_close(SkipCursor *cursor)
{
    reclaim_unpin(cursor->thread, cursor->pin);
    cursor->at = NULL;
    cursor->pin = -1;
}

int skiplist_visit(SkipList *list, int thread, const Word *from, const Word *to, Visit *visit, void *context)
{
    SkipCursor cursor;
    Word key, value;
    int n = 0;
    if (!skiplist_cursor_open(&cursor, list, thread, from))
        return 0;
    while (skiplist_cursor_next(&cursor, &key, &value) && !is_beyond(list->options, key, to)) {
        n++;
        if (!visit(key, value, context))
            break;
    }
    skiplist_cursor_close(&cursor);
    return n;
}

static bool visit_all(Word key, Word value, void *context)
{
    (void)key;
    (void)value;
    (void)context;
    return true;
}

int skiplist_count_range(SkipList *list, int thread, const Word *from, const Word *to)
{
    return skiplist_visit(list, thread, from, to, visit_all, NULL);
}

int skiplist_remove_range(SkipList *list, int thread, const Word *from, const Word *to)
{
    SkipCursor cursor;
    Word key;
    int n_removed = 0;
    if (!skiplist_cursor_open(&cursor, list, thread, from))
        return 0;
    while (skiplist_cursor_next(&cursor, &key, NULL) && !is_beyond(list->options, key, to))
        n_removed += skiplist_cursor_remove(&cursor, NULL);
    skiplist_cursor_close(&cursor);
    return n_removed;
}

int skiplist_retain(SkipList *list, int thread, Visit *keep, void *context)
{
    SkipCursor cursor;
    Word key, value;
    int n_removed = 0;
    if (!skiplist_cursor_open(&cursor, list, thread, NULL))
        return 0;
    while (skiplist_cursor_next(&cursor, &key, &value))
        if (!keep(key, value, context))
            n_removed += skiplist_cursor_remove(&cursor, NULL);
    skiplist_cursor_close(&cursor);
    return n_removed;
}
