/* Many keys at once. Concurrent ones go through the list once, each search beginning where the last one ended; the others are
 * for quiet times and need no compare-and-swap. */
#include "internal.h"

/* The node before a place, held by a pin for the next search to begin at. With the head there is nothing to hold. */
static ListNode *hold(List *list, int thread, int pin, const Place *place)
{
    ListNode *before = list_holder(list, place->before);
    reclaim_repin(thread, pin, before);
    return before;
}

/* Whether a search for the key may begin there. */
static ListNode *start_for(const List *list, ListNode *start, Word key)
{
    return start && key_order(list->options, start->key, key) < 0 ? start : NULL;
}

int list_insert_all(List *list, int thread, const Pair *pairs, int n_pairs)
{
    int n_inserted = 0;
    int pin = reclaim_pin(thread, NULL);
    ListNode *start = NULL;
    for (int i = 0; i < n_pairs; i++) {
        Place place;
        ListNode *node = NULL;
        bool is_done = false;
        reclaim_begin(thread);
        while (!is_done) {
            start = start_for(list, start, pairs[i].key);
            bool is_there = list_seek(list, thread, (Bound){AT_KEY, pairs[i].key}, start, &place);
            if (pin >= 0)
                start = hold(list, thread, pin, &place);
            if (is_there) {
                if (list_help(list, thread, place.node))
                    continue;
                is_done = true;
                if (node)
                    list_node_free(list->options, node);
            } else {
                if (!node)
                    node = list_node_new(list, pairs[i].key, pairs[i].value);
                is_done = list_link(&place, node);
                n_inserted += is_done;
                if (is_done)
                    list_note(list, thread, INSERTED);
            }
        }
        reclaim_end(thread);
    }
    if (pin >= 0)
        reclaim_unpin(thread, pin);
    return n_inserted;
}

int list_remove_all(List *list, int thread, const Word *keys, int n_keys)
{
    int n_removed = 0;
    int pin = reclaim_pin(thread, NULL);
    ListNode *start = NULL;
    for (int i = 0; i < n_keys; i++) {
        Place place;
        reclaim_begin(thread);
        start = start_for(list, start, keys[i]);
        bool is_there = list_seek(list, thread, (Bound){AT_KEY, keys[i]}, start, &place);
        if (pin >= 0)
            start = hold(list, thread, pin, &place);
        if (is_there && atomic_exchange(&place.node->value, GONE) != GONE) {
            list_unlink(list, thread, keys[i], place.node, &place);
            list_note(list, thread, REMOVED);
            n_removed++;
        }
        reclaim_end(thread);
    }
    if (pin >= 0)
        reclaim_unpin(thread, pin);
    return n_removed;
}

int list_clear(List *list, int thread)
{
    return list_remove_range(list, thread, NULL, NULL);
}

int list_collect(List *list, int thread, Pair *pairs, int n_room)
{
    ListCursor cursor;
    Word key, value;
    int n = 0;
    if (!list_cursor_open(&cursor, list, thread, NULL))
        return 0;
    while (n < n_room && list_cursor_next(&cursor, &key, &value))
        pairs[n++] = (Pair){key_copy(list->options, key), value};
    list_cursor_close(&cursor);
    return n;
}

/* Appends a node behind `end`, the last link so far; returns the new one. */
static Link *append(List *list, Link *end, Word key, Word value)
{
    ListNode *node = list_node_new(list, key, value);
    atomic_init(end, (uintptr_t)node);
    return &node->next;
}

List *list_build(const MapOptions *options, const Pair *pairs, int n_pairs)
{
    for (int i = 1; i < n_pairs; i++)
        if (key_order(options, pairs[i - 1].key, pairs[i].key) >= 0)
            return NULL;
    List *list = list_new_with(options);
    Link *end = &list->head;
    for (int i = 0; i < n_pairs; i++)
        end = append(list, end, pairs[i].key, pairs[i].value);
    return list;
}

/* The first node from a link on whose key is there. */
static ListNode *next_alive(uintptr_t link)
{
    ListNode *node = list_node_of(link);
    while (node && !list_is_alive(node))
        node = list_node_of(node->next);
    return node;
}

List *list_copy(const List *list)
{
    List *copy = list_new_with(list->options);
    Link *end = &copy->head;
    for (ListNode *node = next_alive(list->head); node; node = next_alive(node->next))
        end = append(copy, end, node->key, node->value);
    return copy;
}

bool list_is_equal(const List *left, const List *right)
{
    ListNode *l = next_alive(left->head), *r = next_alive(right->head);
    while (l && r) {
        if (key_order(left->options, l->key, r->key) != 0 || l->value != r->value)
            return false;
        l = next_alive(l->next);
        r = next_alive(r->next);
    }
    return l == r;
}

int list_count(const List *list)
{
    int n = 0;
    for (ListNode *node = next_alive(list->head); node; node = next_alive(node->next))
        n++;
    return n;
}
