/* The audit: what must hold when nobody uses the list.
 *
 * At every level the keys ascend and the links do not run in a circle (Brent 1980). Every node of a level is in the level
 * below and tall enough; every node of the lowest level is linked at all levels that it has. Nodes that are linked anywhere
 * are alive and not marked anywhere, and the thread that linked them has let them go. */
#include "internal.h"

static const SkipNode *first_at(const SkipList *list, int level)
{
    return skip_node_of(list->heads[level]);
}

static const SkipNode *next_at(const SkipNode *node, int level)
{
    return skip_node_of(node->next[level]);
}

/* One runner waits at powers of two for the other one to come by again. */
static bool level_is_circular(const SkipList *list, int level)
{
    const SkipNode *waiting = NULL;
    size_t n_steps = 0, limit = 1;
    for (const SkipNode *node = first_at(list, level); node; node = next_at(node, level)) {
        if (node == waiting)
            return true;
        if (++n_steps == limit) {
            waiting = node;
            n_steps = 0;
            limit *= 2;
        }
    }
    return false;
}

static bool has_mark(const SkipNode *node)
{
    for (int level = 0; level < node->height; level++)
        if (is_marked(node->next[level]))
            return true;
    return false;
}

/* One level, together with the one below, which is walked along: what is not met there in time is missing. */
static void audit_level(const SkipList *list, int level, SkipListAudit *audit)
{
    const SkipNode *before = NULL;
    const SkipNode *below = level > 0 ? first_at(list, level - 1) : NULL;
    for (const SkipNode *node = first_at(list, level); node; node = next_at(node, level)) {
        if (before && key_order(list->options, before->key, node->key) >= 0)
            audit->n_disordered++;
        if (level > 0) {
            while (below && below != node)
                below = next_at(below, level - 1);
            if (!below) {
                audit->n_detached++;
                below = first_at(list, level - 1);
            }
        }
        audit->n_at_level[level]++;
        before = node;
    }
}

/* How many nodes of the lowest level should be linked at `level`. */
static int tall_enough(const SkipList *list, int level)
{
    int n = 0;
    for (const SkipNode *node = first_at(list, 0); node; node = next_at(node, 0))
        n += node->height > level;
    return n;
}

SkipListAudit skiplist_audit(const SkipList *list)
{
    SkipListAudit audit = {0};
    for (int level = 0; level < MAX_HEIGHT && !audit.is_circular; level++) {
        if (level_is_circular(list, level)) {
            audit.is_circular = true;
            break;
        }
        audit_level(list, level, &audit);
        int n_missing = tall_enough(list, level) - audit.n_at_level[level];
        if (n_missing > 0)
            audit.n_unfinished += n_missing;
        if (n_missing < 0)
            audit.n_detached -= n_missing;
    }
    if (audit.n_at_level[0] > 0)
        for (const SkipNode *node = first_at(list, 0); node; node = next_at(node, 0)) {
            bool is_alive = node->value != GONE;
            audit.n_keys += is_alive;
            audit.n_gone += !is_alive || has_mark(node);
            audit.n_in_use += node->n_users != 1;
        }
    return audit;
}

bool skiplist_is_sound(const SkipList *list)
{
    SkipListAudit audit = skiplist_audit(list);
    return audit.n_disordered == 0 && audit.n_detached == 0 && audit.n_unfinished == 0 && audit.n_gone == 0 &&
           audit.n_in_use == 0 && !audit.is_circular;
}
