// Seeded bug: a sorted list that unlinks a node without marking it first.
// Verdict: unsafe (assert): what is inserted behind a node that is being removed goes with it.
// Algorithm: the naive list that Harris (DISC 2001) begins with.
#include "../common.h"
#include <pthread.h>

typedef struct Node {
    Link next;
    Key key;
} Node;

static Link head;

static Node *node_of(uintptr_t link)
{
    return (Node *)link;
}

/* The link before the first node whose key is not smaller, and that node. */
static Link *seek(Key key, Node **node)
{
    Link *before = &head;
    *node = node_of(*before);
    while (*node && (*node)->key < key) {
        before = &(*node)->next;
        *node = node_of(*before);
    }
    return before;
}

static bool insert(Key key)
{
    Node *node = obtain(sizeof *node), *after;
    node->key = key;
    for (;;) {
        Link *before = seek(key, &after);
        if (after && after->key == key) {
            free(node);
            return false;
        }
        node->next = (uintptr_t)after;
        if (swap_link(before, (uintptr_t)after, (uintptr_t)node))
            return true;
    }
}

static bool remove_key(Key key)
{
    for (;;) {
        Node *node;
        Link *before = seek(key, &node);
        if (!node || node->key != key)
            return false;
        if (swap_link(before, (uintptr_t)node, node->next))
            return true; /* The node itself is left to leak: reclamation is not what this is about. */
    }
}

static bool has(Key key)
{
    Node *node;
    seek(key, &node);
    return node && node->key == key;
}

static void *insert_two(void *unused)
{
    assert(insert(2));
    return unused;
}

static void *remove_one(void *unused)
{
    assert(remove_key(1));
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    insert(1);
    insert(3);
    pthread_create(&threads[0], 0, insert_two, 0);
    pthread_create(&threads[1], 0, remove_one, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(!has(1) && has(2) && has(3));
    return 0;
}
