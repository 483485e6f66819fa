/* Cursors, and what is built on them.
 *
 * A cursor holds on to the node that it stands on, so that the node's key can be read even when the key has been removed. From
 * a node that is not marked it steps along its link. From one that is, it looks for the first key above it. */
#include "internal.h"

bool list_cursor_open(ListCursor *cursor, List *list, int thread, const Word *from)
{
    *cursor = (ListCursor){list, thread, reclaim_pin(thread, NULL), NULL, from != NULL, from ? *from : 0};
    return cursor->pin >= 0;
}

/* Where the cursor has to look. */
static Bound next_bound(const ListCursor *cursor)
{
    if (cursor->at)
        return (Bound){ABOVE_KEY, cursor->at->key};
    if (cursor->has_bound)
        return (Bound){AT_KEY, cursor->bound};
    return (Bound){AT_FIRST, 0};
}

bool list_cursor_next(ListCursor *cursor, Word *key, Word *value)
{
    Place place;
    Word seen = GONE;
    reclaim_begin(cursor->thread);
    do
        /* From where it stands, if that is not marked; the search sees to it. */
        list_seek_alive(cursor->list, cursor->thread, next_bound(cursor), cursor->at, &place);
    while (place.node && (seen = atomic_load(&place.node->value)) == GONE);
    if (place.node) {
        reclaim_repin(cursor->thread, cursor->pin, place.node);
        cursor->at = place.node;
    }
    reclaim_end(cursor->thread);
    if (!place.node)
        return false;
    if (key)
        *key = cursor->at->key;
    if (value)
        *value = seen;
    return true;
}

bool list_cursor_remove(ListCursor *cursor, Word *value)
{
    ListNode *node = cursor->at;
    if (!node)
        return false;
    Word was = atomic_exchange(&node->value, GONE);
    if (was == GONE)
        return false;
    Place nowhere = {NULL, NULL, 0};
    reclaim_begin(cursor->thread);
    list_unlink(cursor->list, cursor->thread, node->key, node, &nowhere);
    reclaim_end(cursor->thread);
    list_note(cursor->list, cursor->thread, REMOVED);
    if (value)
        *value = was;
    return true;
}

bool list_cursor_replace(ListCursor *cursor, Word value, Word *old)
{
    assert(value != GONE);
    if (!cursor->at)
        return false;
    Word was = atomic_load(&cursor->at->value);
    while (was != GONE && !atomic_compare_exchange_strong(&cursor->at->value, &was, value))
        ;
    if (was == GONE)
        return false;
    list_note(cursor->list, cursor->thread, REPLACED);
    if (old)
        *old = was;
    return true;
}

void list_cursor_close(ListCursor *cursor)
{
    reclaim_unpin(cursor->thread, cursor->pin);
    cursor->at = NULL;
    cursor->pin = -1;
}

int list_visit(List *list, int thread, const Word *from, const Word *to, Visit *visit, void *context)
{
    ListCursor cursor;
    Word key, value;
    int n = 0;
    if (!list_cursor_open(&cursor, list, thread, from))
        return 0;
    while (list_cursor_next(&cursor, &key, &value) && !is_beyond(list->options, key, to)) {
        n++;
        if (!visit(key, value, context))
            break;
    }
    list_cursor_close(&cursor);
    return n;
}

static bool go_on(Word key, Word value, void *context)
{
    (void)key;
    (void)value;
    (void)context;
    return true;
}

int list_count_range(List *list, int thread, const Word *from, const Word *to)
{
    return list_visit(list, thread, from, to, go_on, NULL);
}

int list_remove_range(List *list, int thread, const Word *from, const Word *to)
{
    ListCursor cursor;
    Word key;
    int n_removed = 0;
    if (!list_cursor_open(&cursor, list, thread, from))
        return 0;
    while (list_cursor_next(&cursor, &key, NULL) && !is_beyond(list->options, key, to))
        n_removed += list_cursor_remove(&cursor, NULL);
    list_cursor_close(&cursor);
    return n_removed;
}

int list_retain(List *list, int thread, Visit *keep, void *context)
{
    ListCursor cursor;
    Word key, value;
    int n_removed = 0;
    if (!list_cursor_open(&cursor, list, thread, NULL))
        return 0;
    while (list_cursor_next(&cursor, &key, &value))
        if (!keep(key, value, context))
            n_removed += list_cursor_remove(&cursor, NULL);
    list_cursor_close(&cursor);
    return n_removed;
}
