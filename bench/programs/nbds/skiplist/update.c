/* Adding, looking and removing: the operations of a set. */
#include "internal.h"

/* Draw the height by lot, but only if a node is needed. */
#define BY_LOT 0

/* Adds the key unless it is there, alive. Returns the node that was found there, or null if the key was added; the node is
   protected until the operation ends. */
static SkipNode *add_or_find(SkipList *list, int thread, Word key, Word value, int height)
{
    Path path;
    SkipNode *node = NULL;
    Backoff backoff = backoff_new();
    for (;;) {
        if (skip_seek(list, thread, (Bound){AT_KEY, key}, &path)) {
            if (!skip_help(list, thread, path.after[0]))
                break;
        } else {
            if (!node)
                node = skip_node_new(list, key, value, height == BY_LOT ? skip_draw_height(list, thread) : height);
            if (skip_link(&path, node)) {
                skip_finish(list, thread, node, &path);
                return NULL;
            }
            backoff_wait(&backoff);
        }
    }
    if (node)
        skip_node_free(list->options, node);
    return path.after[0];
}

bool skiplist_insert_tower(SkipList *list, int thread, Word key, Word value, int height)
{
    reclaim_begin(thread);
    bool is_new = add_or_find(list, thread, key, value, height) == NULL;
    reclaim_end(thread);
    return is_new;
}

bool skiplist_insert(SkipList *list, int thread, Word key, Word value)
{
    return skiplist_insert_tower(list, thread, key, value, BY_LOT);
}

bool skiplist_insert_or_get(SkipList *list, int thread, Word key, Word value, Word *present)
{
    bool is_new = false;
    Word seen = GONE;
    reclaim_begin(thread);
    /* The key may be removed between finding it and reading its value. */
    while (!is_new && seen == GONE) {
        SkipNode *node = add_or_find(list, thread, key, value, BY_LOT);
        is_new = node == NULL;
        if (node)
            seen = atomic_load(&node->value);
    }
    reclaim_end(thread);
    if (!is_new && present)
        *present = seen;
    return is_new;
}

bool skiplist_put(SkipList *list, int thread, Word key, Word value, Word *old)
{
    bool was_there = false;
    assert(value != GONE);
    reclaim_begin(thread);
    for (;;) {
        SkipNode *node = add_or_find(list, thread, key, value, BY_LOT);
        if (!node)
            break;
        Word was = atomic_load(&node->value);
        while (was != GONE && !atomic_compare_exchange_strong(&node->value, &was, value))
            ;
        if (was != GONE) {
            was_there = true;
            skip_note(list, thread, SKIP_REPLACED);
            if (old)
                *old = was;
            break;
        }
    }
    reclaim_end(thread);
    return was_there;
}

bool skiplist_find(SkipList *list, int thread, Word key, Word *value)
{
    Path path;
    Word seen = GONE;
    reclaim_begin(thread);
    if (skip_seek(list, thread, (Bound){AT_KEY, key}, &path))
        seen = atomic_load(&path.after[0]->value);
    reclaim_end(thread);
    if (seen != GONE && value)
        *value = seen;
    return seen != GONE;
}

bool skiplist_remove(SkipList *list, int thread, Word key, Word *value)
{
    Path path;
    Word was = GONE;
    reclaim_begin(thread);
    if (skip_seek(list, thread, (Bound){AT_KEY, key}, &path)) {
        SkipNode *node = path.after[0];
        was = atomic_exchange(&node->value, GONE);
        if (was != GONE)
            skip_bury(list, thread, node);
    }
    reclaim_end(thread);
    if (was != GONE && value)
        *value = was;
    return was != GONE;
}

Outcome skiplist_remove_if(SkipList *list, int thread, Word key, Word expected)
{
    Path path;
    Outcome outcome = MISSING;
    assert(expected != GONE);
    reclaim_begin(thread);
    if (skip_seek(list, thread, (Bound){AT_KEY, key}, &path)) {
        SkipNode *node = path.after[0];
        Word was = expected;
        if (atomic_compare_exchange_strong(&node->value, &was, GONE)) {
            outcome = CHANGED;
            skip_bury(list, thread, node);
        } else if (was != GONE) {
            outcome = DIFFERENT;
        }
    }
    reclaim_end(thread);
    return outcome;
}
