/* Nodes, heights, and the list itself: made and released. */
#include "internal.h"

SkipList *skiplist_new_with(const MapOptions *options)
{
    SkipList *list = memory_obtain(memory_of(options), sizeof *list);
    for (int level = 0; level < MAX_HEIGHT; level++)
        atomic_init(&list->heads[level], 0);
    list->options = options;
    for (int thread = 0; thread < MAX_THREADS; thread++)
        list->lots[thread] = 2463534242u + (uint32_t)thread * 2654435761u;
#ifdef STATISTICS
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int event = 0; event < N_SKIP_EVENTS; event++)
            atomic_init(&list->events[thread][event], 0);
#endif
    return list;
}

SkipList *skiplist_new(void)
{
    return skiplist_new_with(NULL);
}

SkipNode *skip_node_new(const SkipList *list, Word key, Word value, int height)
{
    assert(value != GONE && height >= 1 && height <= MAX_HEIGHT);
    SkipNode *node = memory_obtain(memory_of(list->options), sizeof *node + (size_t)height * sizeof node->next[0]);
    node->key = key_copy(list->options, key);
    atomic_init(&node->value, value);
    node->height = height;
#ifdef REMOVER_ALONE
    atomic_init(&node->n_users, 1);
#else
    atomic_init(&node->n_users, 2);
#endif
    for (int level = 0; level < height; level++)
        atomic_init(&node->next[level], 0);
    return node;
}

void skip_node_free(const MapOptions *options, SkipNode *node)
{
    key_release(options, node->key);
    memory_release(memory_of(options), node);
}

static void release_skip_node(void *node, void *options)
{
    skip_node_free(options, node);
}

void skip_node_retire(SkipList *list, int thread, SkipNode *node)
{
    if (list->options)
        reclaim_retire_with(thread, node, release_skip_node, (void *)list->options);
    else
        reclaim_retire(thread, node);
}

/* One level for each bit from below that is set, and one. */
static int height_of_bits(uint32_t bits)
{
    int height = 1;
    while (height < MAX_HEIGHT && (bits & 1)) {
        height++;
        bits >>= 1;
    }
    return height;
}

int skiplist_height(Word key)
{
    return height_of_bits((uint32_t)key * 2654435761u >> 16);
}

/* Marsaglia's generator of 32 bits, "Xorshift RNGs" (2003). */
int skip_draw_height(SkipList *list, int thread)
{
    uint32_t lot = list->lots[thread];
    lot ^= lot << 13;
    lot ^= lot >> 17;
    lot ^= lot << 5;
    list->lots[thread] = lot;
    return height_of_bits(lot >> 8);
}

void skiplist_free(SkipList *list)
{
    const MapOptions *options = list->options;
    SkipNode *node = skip_node_of(list->heads[0]);
    while (node) {
        SkipNode *next = skip_node_of(node->next[0]);
        skip_node_free(options, node);
        node = next;
    }
    memory_release(memory_of(options), list);
}

SkipListStatistics skiplist_statistics(const SkipList *list)
{
    size_t n[N_SKIP_EVENTS] = {0};
#ifdef STATISTICS
    for (int thread = 0; thread < MAX_THREADS; thread++)
        for (int event = 0; event < N_SKIP_EVENTS; event++)
            n[event] += atomic_load(&list->events[thread][event]);
#else
    (void)list;
#endif
    return (SkipListStatistics){n[SKIP_INSERTED], n[SKIP_REMOVED], n[SKIP_REPLACED],
                                n[SKIP_UNLINKED], n[SKIP_HELPED],  n[SKIP_RESTARTED]};
}
