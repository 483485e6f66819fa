/* The search, which is also what unlinks nodes: Michael's `Find`, with bounds and a place to start.
 *
 * A walk never steps from a node whose link is marked: such a link does not change any more, so what it leads to may long be
 * elsewhere. With hazard pointers that would be an error, without it would lead astray. */
#include "internal.h"

/* Announces the node that `before` leads to; false if it leads elsewhere meanwhile, so that the node may be gone. Where nothing
   has to be announced, nothing has to be looked at again. */
static bool protect_next(int thread, Link *before, uintptr_t link)
{
#if RECLAIM == RECLAIM_HAZARDS
    reclaim_protect(thread, HAZARD_NODE, list_node_of(link));
#ifdef WITHOUT_SECOND_LOOK
    (void)before;
    return true;
#else
    return atomic_load(before) == link;
#endif
#else
    (void)thread;
    (void)before;
    (void)link;
    return true;
#endif
}

enum { LOST, FOUND, NOT_FOUND };

/* One walk; it is lost when the list has changed where it stands. */
static int walk_list(List *list, int thread, Bound bound, ListNode *start, Place *place)
{
    Link *before = start ? &start->next : &list->head;
    uintptr_t link = atomic_load(before);
#ifndef STEP_FROM_DELETED
    if (is_marked(link))
        return LOST;
#endif
    for (;;) {
        ListNode *node = list_node_of(link);
        if (!node) {
            *place = (Place){before, NULL, 0};
            return NOT_FOUND;
        }
        if (!protect_next(thread, before, link))
            return LOST;
        uintptr_t next = atomic_load(&node->next);
        if (is_marked(next)) {
            if (!swap_link(before, link, without_mark(next)))
                return LOST;
            list_node_retire(list, thread, node);
            link = without_mark(next);
            continue;
        }
        bool is_same;
        if (bound_stops(list->options, node->key, bound, &is_same)) {
            *place = (Place){before, node, next};
            return is_same ? FOUND : NOT_FOUND;
        }
        reclaim_protect(thread, HAZARD_BEFORE, node);
        before = &node->next;
        link = next;
    }
}

bool list_seek(List *list, int thread, Bound bound, ListNode *start, Place *place)
{
    for (;;) {
        int how = walk_list(list, thread, bound, start, place);
        if (how != LOST)
            return how == FOUND;
        list_note(list, thread, RESTARTED);
        start = NULL;
    }
}

void list_mark(ListNode *node)
{
    atomic_fetch_or(&node->next, MARK);
}

bool list_help(List *list, int thread, ListNode *node)
{
    if (list_is_alive(node))
        return false;
    list_mark(node);
    list_note(list, thread, HELPED);
    return true;
}

bool list_seek_alive(List *list, int thread, Bound bound, ListNode *start, Place *place)
{
    for (;;) {
        bool is_found = list_seek(list, thread, bound, start, place);
        if (!place->node || !list_help(list, thread, place->node))
            return is_found;
    }
}

void list_unlink(List *list, int thread, Word key, ListNode *node, Place *place)
{
    list_mark(node);
    uintptr_t next = without_mark(atomic_load(&node->next));
    if (place->node == node && swap_link(place->before, (uintptr_t)node, next))
        list_node_retire(list, thread, node);
    else
        list_seek(list, thread, (Bound){AT_KEY, key}, NULL, place); /* Somebody has to unlink it. */
}

bool list_link(Place *place, ListNode *node)
{
    atomic_store(&node->next, (uintptr_t)place->node);
    return swap_link(place->before, (uintptr_t)place->node, (uintptr_t)node);
}
