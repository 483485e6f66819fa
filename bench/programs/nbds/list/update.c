/* Adding, looking and removing: the operations of a set. */
#include "internal.h"

/* Adds the key unless it is there, alive. Returns the node that was found there, or null if the key was added; the node is
   protected until the operation ends. */
static ListNode *insert_or_find(List *list, int thread, Word key, Word value)
{
    Place place;
    ListNode *node = NULL;
    Backoff backoff = backoff_new();
    for (;;) {
        if (list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place)) {
            if (!list_help(list, thread, place.node))
                break;
        } else {
            if (!node)
                node = list_node_new(list, key, value);
            if (list_link(&place, node)) {
                list_note(list, thread, INSERTED);
                return NULL;
            }
            backoff_wait(&backoff);
        }
    }
    if (node)
        list_node_free(list->options, node);
    return place.node;
}

bool list_insert(List *list, int thread, Word key, Word value)
{
    reclaim_begin(thread);
    bool is_new = insert_or_find(list, thread, key, value) == NULL;
    reclaim_end(thread);
    return is_new;
}

bool list_insert_or_get(List *list, int thread, Word key, Word value, Word *present)
{
    bool is_new = false;
    Word seen = GONE;
    reclaim_begin(thread);
    /* The key may be removed between finding it and reading its value. */
    while (!is_new && seen == GONE) {
        ListNode *node = insert_or_find(list, thread, key, value);
        is_new = node == NULL;
        if (node)
            seen = atomic_load(&node->value);
    }
    reclaim_end(thread);
    if (!is_new && present)
        *present = seen;
    return is_new;
}

bool list_put(List *list, int thread, Word key, Word value, Word *old)
{
    bool was_there = false;
    assert(value != GONE);
    reclaim_begin(thread);
    for (;;) {
        ListNode *node = insert_or_find(list, thread, key, value);
        if (!node)
            break;
        Word was = atomic_load(&node->value);
        while (was != GONE && !atomic_compare_exchange_strong(&node->value, &was, value))
            ;
        if (was != GONE) {
            was_there = true;
            list_note(list, thread, REPLACED);
            if (old)
                *old = was;
            break;
        }
    }
    reclaim_end(thread);
    return was_there;
}

bool list_find(List *list, int thread, Word key, Word *value)
{
    Place place;
    Word seen = GONE;
    reclaim_begin(thread);
    if (list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place))
        seen = atomic_load(&place.node->value);
    reclaim_end(thread);
    if (seen != GONE && value)
        *value = seen;
    return seen != GONE;
}

/* A way to the key that neither writes nor begins anew. It walks through marked nodes, too: these are not reused while we are
   inside, and lead on to greater keys. If the key is added meanwhile to a part of the list that we have left, it was not there
   when we came by. With hazard pointers there is no such way. */
#if RECLAIM != RECLAIM_HAZARDS
bool list_contains(List *list, int thread, Word key)
{
    bool is_there = false;
    reclaim_begin(thread);
    ListNode *node = list_node_of(atomic_load(&list->head));
    while (node) {
        int order = key_order(list->options, node->key, key);
        if (order >= 0) {
            is_there = order == 0 && list_is_alive(node);
            break;
        }
        node = list_node_of(atomic_load(&node->next));
    }
    reclaim_end(thread);
    return is_there;
}
#else
bool list_contains(List *list, int thread, Word key)
{
    return list_find(list, thread, key, NULL);
}
#endif

bool list_remove(List *list, int thread, Word key, Word *value)
{
    Place place;
    Word was = GONE;
    reclaim_begin(thread);
    if (list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place)) {
        ListNode *node = place.node;
#ifdef REMOVE_BY_MARK
        was = atomic_load(&node->value);
        if (is_marked(atomic_fetch_or(&node->next, MARK)))
            was = GONE;
#else
        was = atomic_exchange(&node->value, GONE);
#endif
        if (was != GONE) {
            list_unlink(list, thread, key, node, &place);
            list_note(list, thread, REMOVED);
        }
    }
    reclaim_end(thread);
    if (was != GONE && value)
        *value = was;
    return was != GONE;
}

Outcome list_remove_if(List *list, int thread, Word key, Word expected)
{
    Place place;
    Outcome outcome = MISSING;
    assert(expected != GONE);
    reclaim_begin(thread);
    if (list_seek(list, thread, (Bound){AT_KEY, key}, NULL, &place)) {
        ListNode *node = place.node;
        Word was = expected;
        if (atomic_compare_exchange_strong(&node->value, &was, GONE)) {
            outcome = CHANGED;
            list_unlink(list, thread, key, node, &place);
            list_note(list, thread, REMOVED);
        } else if (was != GONE) {
            outcome = DIFFERENT;
        }
    }
    reclaim_end(thread);
    return outcome;
}
