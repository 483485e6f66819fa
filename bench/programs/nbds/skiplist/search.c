/* The search: down from the top, along each level, unlinking what is marked.
 *
 * A walk never steps from a link that is marked. A node that is linked at a level is linked at all levels below, until it is
 * marked there: towers grow from the bottom up and are marked from the top down. So a node that is not marked at the level
 * below can be used to go on there. */
#include "internal.h"

/* Announces the node that `before` leads to; false if it leads elsewhere meanwhile. */
static bool protect_after(int thread, int level, Link *before, uintptr_t link)
{
#if RECLAIM == RECLAIM_HAZARDS
    reclaim_protect(thread, HAZARD_AFTER(level), skip_node_of(link));
    return atomic_load(before) == link;
#else
    (void)thread;
    (void)level;
    (void)before;
    (void)link;
    return true;
#endif
}

enum { SKIP_LOST, SKIP_FOUND, SKIP_NOT_FOUND };

/* Walks one level from the path's link up to the bound; lost when the list has changed where the walk stands. */
static int walk_level(SkipList *list, int thread, int level, Bound bound, Path *path)
{
    Link *before = path->before[level];
    uintptr_t link = atomic_load(before);
    if (is_marked(link))
        return SKIP_LOST; /* The node we stand on was deleted. */
    for (;;) {
        SkipNode *node = skip_node_of(link);
        bool is_same = false;
        if (!node) {
            path->before[level] = before;
            path->after[level] = NULL;
            return SKIP_NOT_FOUND;
        }
        if (!protect_after(thread, level, before, link))
            return SKIP_LOST;
        uintptr_t next = atomic_load(&node->next[level]);
        if (is_marked(next)) {
            if (!swap_link(before, link, without_mark(next)))
                return SKIP_LOST;
            skip_note(list, thread, SKIP_UNLINKED);
            link = without_mark(next);
            continue;
        }
        if (bound_stops(list->options, node->key, bound, &is_same)) {
            path->before[level] = before;
            path->after[level] = node;
            return is_same ? SKIP_FOUND : SKIP_NOT_FOUND;
        }
        reclaim_protect(thread, HAZARD_HOLDER(level), node);
        before = &node->next[level];
        link = next;
    }
}

bool skip_seek(SkipList *list, int thread, Bound bound, Path *path)
{
    for (;;) {
        SkipNode *from = NULL; /* Where the level above ended; null is the head. */
        int how = SKIP_LOST;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            path->before[level] = from ? &from->next[level] : &list->heads[level];
            how = walk_level(list, thread, level, bound, path);
            if (how == SKIP_LOST)
                break;
            from = skip_holder(list, path->before[level], level);
        }
        if (how != SKIP_LOST)
            return how == SKIP_FOUND;
        skip_note(list, thread, SKIP_RESTARTED);
    }
}

bool skip_step(SkipList *list, int thread, Bound bound, SkipNode *start, Path *path)
{
    path->before[0] = &start->next[0];
    return walk_level(list, thread, 0, bound, path) != SKIP_LOST;
}

bool skip_seek_alive(SkipList *list, int thread, Bound bound, Path *path)
{
    for (;;) {
        bool is_found = skip_seek(list, thread, bound, path);
        if (!path->after[0] || !skip_help(list, thread, path->after[0]))
            return is_found;
    }
}

/* A way to the key that neither writes nor begins anew: marked nodes are passed by, not unlinked. A node that we go on from was
   not marked at this level when we looked, hence not at the levels below either. If it is deleted later, its links below are
   those of a moment since we came, so what they lead to has not been released. If the key is added meanwhile to a part of the
   list that we have left, it was not there when we came by. With hazard pointers there is no such way. */
#if RECLAIM != RECLAIM_HAZARDS
bool skiplist_contains(SkipList *list, int thread, Word key)
{
    Link *links = list->heads;
    bool is_there = false;
    reclaim_begin(thread);
    for (int level = MAX_HEIGHT - 1; level >= 0 && !is_there; level--) {
        uintptr_t next;
        for (SkipNode *node = skip_node_of(atomic_load(&links[level])); node; node = skip_node_of(next)) {
            next = atomic_load(&node->next[level]);
            if (is_marked(next))
                continue;
            int order = key_order(list->options, node->key, key);
            if (order >= 0) {
                is_there = order == 0 && skip_is_alive(node);
                break;
            }
            links = node->next;
        }
    }
    reclaim_end(thread);
    return is_there;
}
#else
bool skiplist_contains(SkipList *list, int thread, Word key)
{
    return skiplist_find(list, thread, key, NULL);
}
#endif
