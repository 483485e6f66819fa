/* Nodes, and the list itself: made and released. */
#include "internal.h"

List *list_new_with(const MapOptions *options)
{
    List *list = memory_obtain(memory_of(options), sizeof *list);
    atomic_init(&list->head, 0);
    list->options = options;
#ifdef STATISTICS
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int event = 0; event < N_EVENTS; event++)
            atomic_init(&list->events[thread][event], 0);
#endif
    return list;
}

List *list_new(void)
{
    return list_new_with(NULL);
}

ListNode *list_node_new(const List *list, Word key, Word value)
{
    ListNode *node = memory_obtain(memory_of(list->options), sizeof *node);
    assert(value != GONE);
    atomic_init(&node->next, 0);
    node->key = key_copy(list->options, key);
    atomic_init(&node->value, value);
    return node;
}

void list_node_free(const MapOptions *options, ListNode *node)
{
    key_release(options, node->key);
    memory_release(memory_of(options), node);
}

static void release_list_node(void *node, void *options)
{
    list_node_free(options, node);
}

void list_node_retire(List *list, int thread, ListNode *node)
{
    list_note(list, thread, UNLINKED);
    if (list->options)
        reclaim_retire_with(thread, node, release_list_node, (void *)list->options);
    else
        reclaim_retire(thread, node);
}

void list_free(List *list)
{
    const MapOptions *options = list->options;
    ListNode *node = list_node_of(list->head);
    while (node) {
        ListNode *next = list_node_of(node->next);
        list_node_free(options, node);
        node = next;
    }
    memory_release(memory_of(options), list);
}

ListStatistics list_statistics(const List *list)
{
    size_t n[N_EVENTS] = {0};
#ifdef STATISTICS
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int event = 0; event < N_EVENTS; event++)
            n[event] += atomic_load(&list->events[thread][event]);
#else
    (void)list;
#endif
    return (ListStatistics){n[INSERTED], n[REMOVED], n[REPLACED], n[UNLINKED], n[HELPED], n[RESTARTED]};
}
