// Seeded bug: a stack that releases a node as soon as it was popped.
// Verdict: unsafe (memory): another thread that has read the same top then reads the released node.
// Algorithm: Treiber (1986) without reclamation; compare reclaim.h.
#include "../common.h"
#include <pthread.h>

typedef struct Node {
    uintptr_t below;
    int value;
} Node;

static Link top;

static void push(int value)
{
    Node *node = obtain(sizeof *node);
    node->value = value;
    for (;;) {
        uintptr_t was = top;
        node->below = was;
        if (swap_link(&top, was, (uintptr_t)node))
            return;
    }
}

static bool pop(int *value)
{
    for (;;) {
        uintptr_t was = top;
        if (!was)
            return false;
        Node *node = (Node *)was;
        if (swap_link(&top, was, node->below)) {
            *value = node->value;
            free(node);
            return true;
        }
    }
}

static void *work(void *unused)
{
    int value;
    if (pop(&value))
        assert(value == 1 || value == 2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    push(1);
    push(2);
    pthread_create(&threads[0], 0, work, 0);
    pthread_create(&threads[1], 0, work, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
