/* The life of a tower: linked from the bottom up, marked from the top down, and let go by its last user.
 *
 * Whoever marks the lowest level has seen all levels above marked. So a node that is unlinked at the lowest level, which is
 * what makes room for a new node with its key, is marked everywhere. */
#include "internal.h"

static void mark_all(SkipNode *node)
{
    for (int level = node->height - 1; level >= 0; level--)
        atomic_fetch_or(&node->next[level], MARK);
}

bool skip_help(SkipList *list, int thread, SkipNode *node)
{
    if (skip_is_alive(node))
        return false;
    mark_all(node);
    skip_note(list, thread, SKIP_HELPED);
    return true;
}

/* One user less; the last one makes sure that the node is unlinked and lets it go. By then its tower does not grow any more
   and is marked, so one search unlinks it at every level. */
static void let_go(SkipList *list, int thread, SkipNode *node)
{
    if (atomic_fetch_sub(&node->n_users, 1) != 1)
        return;
    Path path;
    skip_seek(list, thread, (Bound){AT_KEY, node->key}, &path);
    skip_node_retire(list, thread, node);
}

void skip_bury(SkipList *list, int thread, SkipNode *node)
{
    mark_all(node);
    let_go(list, thread, node);
    skip_note(list, thread, SKIP_REMOVED);
}

bool skip_link(Path *path, SkipNode *node)
{
    for (int level = 0; level < node->height; level++)
        atomic_store(&node->next[level], (uintptr_t)path->after[level]);
    return swap_link(path->before[0], (uintptr_t)path->after[0], (uintptr_t)node);
}

/* Searches for the node again; false if it was deleted meanwhile. */
static bool find_again(SkipList *list, int thread, SkipNode *node, Path *path)
{
    skip_seek(list, thread, (Bound){AT_KEY, node->key}, path);
    return path->after[0] == node;
}

/* Links one level. False if the node was deleted meanwhile, so that the rest of its tower is of no use. */
static bool link_level(SkipList *list, int thread, SkipNode *node, int level, Path *path)
{
    for (;;) {
        uintptr_t own = atomic_load(&node->next[level]);
        if (is_marked(own))
            return false;
        SkipNode *after = path->after[level];
        if (own != (uintptr_t)after && !swap_link(&node->next[level], own, (uintptr_t)after))
            return false; /* Only a mark can have come in between. */
        if (swap_link(path->before[level], (uintptr_t)after, (uintptr_t)node))
            return true;
        if (!find_again(list, thread, node, path))
            return false;
    }
}

static void link_tower(SkipList *list, int thread, SkipNode *node, Path *path)
{
#ifndef WITHOUT_SECOND_SEARCH
    /* The search may have met an older node with this key at a level above before that one was marked there. Linked behind
       the new node, it would be beyond the reach of the search that is to unlink it. By now it is marked at all levels. */
    for (int level = 1; level < node->height; level++)
        if (path->after[level] && key_order(list->options, path->after[level]->key, node->key) == 0) {
            if (!find_again(list, thread, node, path))
                return;
            break;
        }
#endif
    for (int level = 1; level < node->height; level++)
        if (!link_level(list, thread, node, level, path))
            return;
}

void skip_finish(SkipList *list, int thread, SkipNode *node, Path *path)
{
    link_tower(list, thread, node, path);
#ifndef REMOVER_ALONE
    let_go(list, thread, node);
#endif
    skip_note(list, thread, SKIP_INSERTED);
}
