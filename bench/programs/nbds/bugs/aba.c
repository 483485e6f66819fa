// Seeded bug: a stack whose nodes are used again, without a count in its top.
// Verdict: unsafe (assert): one thread reads the top A and what is below, B; another takes A and B away and puts A back; the
// compare-and-swap of the first one then succeeds and makes B the top, though B is not in the stack.
// Algorithm: Treiber (1986), with the problem that IBM's System/370 manual describes.
#include "../common.h"
#include <pthread.h>

typedef struct Node {
    Link below;
    int is_taken; /* By the thread that popped it. */
} Node;

static Link top;

static void push(Node *node)
{
    for (;;) {
        uintptr_t was = top;
        node->below = was;
        if (swap_link(&top, was, (uintptr_t)node))
            return;
    }
}

static Node *pop(void)
{
    for (;;) {
        uintptr_t was = top;
        if (!was)
            return NULL;
        uintptr_t below = ((Node *)was)->below;
        if (swap_link(&top, was, below))
            return (Node *)was;
    }
}

static Node *take(void)
{
    Node *node = pop();
    if (node) {
        assert(!node->is_taken);
        node->is_taken = 1;
    }
    return node;
}

static void *take_one(void *unused)
{
    take();
    take();
    return unused;
}

static void *take_two_and_return_one(void *unused)
{
    Node *first = take(), *second = take();
    (void)second; /* It stays ours. */
    if (first) {
        first->is_taken = 0;
        push(first);
    }
    return unused;
}

int main(void)
{
    static Node nodes[2];
    pthread_t threads[2];
    push(&nodes[0]);
    push(&nodes[1]);
    pthread_create(&threads[0], 0, take_one, 0);
    pthread_create(&threads[1], 0, take_two_and_return_one, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    return 0;
}
