/* Many keys at once, and whole lists: built, copied, compared. */
#include "internal.h"

int skiplist_insert_all(SkipList *list, int thread, const Pair *pairs, int n_pairs)
{
    int n_inserted = 0;
    for (int i = 0; i < n_pairs; i++)
        n_inserted += skiplist_insert(list, thread, pairs[i].key, pairs[i].value);
    return n_inserted;
}

int skiplist_clear(SkipList *list, int thread)
{
    return skiplist_remove_range(list, thread, NULL, NULL);
}

int skiplist_collect(SkipList *list, int thread, Pair *pairs, int n_room)
{
    SkipCursor cursor;
    Word key, value;
    int n = 0;
    if (!skiplist_cursor_open(&cursor, list, thread, NULL))
        return 0;
    while (n < n_room && skiplist_cursor_next(&cursor, &key, &value))
        pairs[n++] = (Pair){key_copy(list->options, key), value};
    skiplist_cursor_close(&cursor);
    return n;
}

/* A list that is being built, of which nobody knows yet: the last link of each level. */
typedef struct {
    SkipList *list;
    Link *ends[MAX_HEIGHT];
    int n_nodes;
} Builder;

static Builder builder_new(const MapOptions *options)
{
    Builder builder = {.list = skiplist_new_with(options), .n_nodes = 0};
    for (int level = 0; level < MAX_HEIGHT; level++)
        builder.ends[level] = &builder.list->heads[level];
    return builder;
}

/* In a perfect skip list the nth node, from 1 on, is as tall as n is divisible by two. */
static int perfect_height(int n)
{
    int height = 1;
    while (height < MAX_HEIGHT && n % 2 == 0) {
        height++;
        n /= 2;
    }
    return height;
}

static void builder_append(Builder *builder, Word key, Word value)
{
    SkipNode *node = skip_node_new(builder->list, key, value, perfect_height(++builder->n_nodes));
    /* The thread that links it has finished. */
    atomic_init(&node->n_users, 1);
    for (int level = 0; level < node->height; level++) {
        atomic_init(builder->ends[level], (uintptr_t)node);
        builder->ends[level] = &node->next[level];
    }
}

SkipList *skiplist_build(const MapOptions *options, const Pair *pairs, int n_pairs)
{
    for (int i = 1; i < n_pairs; i++)
        if (key_order(options, pairs[i - 1].key, pairs[i].key) >= 0)
            return NULL;
    Builder builder = builder_new(options);
    for (int i = 0; i < n_pairs; i++)
        builder_append(&builder, pairs[i].key, pairs[i].value);
    return builder.list;
}

/* The first node from a link of the lowest level on whose key is there. */
static SkipNode *next_present(uintptr_t link)
{
    SkipNode *node = skip_node_of(link);
    while (node && !skip_is_alive(node))
        node = skip_node_of(node->next[0]);
    return node;
}

SkipList *skiplist_copy(const SkipList *list)
{
    Builder builder = builder_new(list->options);
    for (SkipNode *node = next_present(list->heads[0]); node; node = next_present(node->next[0]))
        builder_append(&builder, node->key, node->value);
    return builder.list;
}

bool skiplist_is_equal(const SkipList *left, const SkipList *right)
{
    SkipNode *l = next_present(left->heads[0]), *r = next_present(right->heads[0]);
    while (l && r) {
        if (key_order(left->options, l->key, r->key) != 0 || l->value != r->value)
            return false;
        l = next_present(l->next[0]);
        r = next_present(r->next[0]);
    }
    return l == r;
}

int skiplist_count(const SkipList *list)
{
    int n = 0;
    for (SkipNode *node = next_present(list->heads[0]); node; node = next_present(node->next[0]))
        n++;
    return n;
}
