/* The audit: what must hold when nobody uses the list.
 *
 * Keys ascend, so each is there at most once. Every node that is linked is alive and not marked: a remover does not return
 * before its node is unlinked. The links do not run in a circle, which is looked at first (Brent 1980), because it would keep
 * all other checks from ending. */
#include "internal.h"

/* Whether the links run in a circle: one runner waits at powers of two for the other one to come by again. */
static bool is_circular(const List *list)
{
    const ListNode *waiting = NULL;
    size_t n_steps = 0, limit = 1;
    for (const ListNode *node = list_node_of(list->head); node; node = list_node_of(node->next)) {
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

/* How many nodes there are until one that is already known. */
static int nodes_of_circle(const List *list)
{
    int n = 0;
    for (const ListNode *node = list_node_of(list->head); node; node = list_node_of(node->next)) {
        int i = 0;
        for (const ListNode *earlier = list_node_of(list->head); earlier != node; earlier = list_node_of(earlier->next))
            i++;
        if (i < n)
            break; /* Met after fewer steps before. */
        n++;
    }
    return n;
}

ListAudit list_audit(const List *list)
{
    ListAudit audit = {0, 0, 0, 0, is_circular(list)};
    int n_nodes = audit.is_circular ? nodes_of_circle(list) : INT32_MAX;
    const ListNode *before = NULL;
    for (ListNode *node = list_node_of(list->head); node && n_nodes > 0; node = list_node_of(node->next), n_nodes--) {
        bool node_is_marked = is_marked(node->next);
        if (before && key_order(list->options, before->key, node->key) >= 0)
            audit.n_disordered++;
        if (node_is_marked)
            audit.n_marked++;
        else if (!list_is_alive(node))
            audit.n_gone++;
        audit.n_keys += list_is_alive(node);
        before = node;
    }
    return audit;
}

bool list_is_sound(const List *list)
{
    ListAudit audit = list_audit(list);
    return audit.n_disordered == 0 && audit.n_gone == 0 && audit.n_marked == 0 && !audit.is_circular;
}
