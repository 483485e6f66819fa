// The lock-free queue of Michael and Scott: a list with a dummy node, where anybody may help the tail along.
// The broken one links its node with a plain store, so one of two simultaneous nodes is lost.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef PRODUCERS
#define PRODUCERS 2
#endif

struct node {
    int value;
    struct node *_Atomic next;
};

static struct node nodes[1 + PRODUCERS]; /* The first is the dummy. */
static struct node *_Atomic head = &nodes[0];
static struct node *_Atomic tail = &nodes[0];

static void enqueue(struct node *node)
{
    for (;;) {
        struct node *last = tail;
        struct node *next = last->next;
        if (next != NULL) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
#ifdef BROKEN
        last->next = node;
#else
        if (!atomic_compare_exchange_strong(&last->next, &next, node))
            continue;
#endif
        atomic_compare_exchange_strong(&tail, &last, node);
        return;
    }
}

static int dequeue(void)
{
    for (;;) {
        struct node *first = head;
        struct node *last = tail;
        struct node *next = first->next;
        if (next == NULL)
            return 0;
        if (first == last) {
            atomic_compare_exchange_strong(&tail, &last, next);
            continue;
        }
        int value = next->value;
        if (atomic_compare_exchange_strong(&head, &first, next))
            return value;
    }
}

static int taken;

static void *produce(void *argument)
{
    struct node *mine = &nodes[1 + number(argument)];
    mine->value = 1 + number(argument);
    enqueue(mine);
    return 0;
}

static void *consume(void *unused)
{
    taken = dequeue();
    return unused;
}

int main(void)
{
    pthread_t producers[PRODUCERS], consumer;
    start_team(producers, PRODUCERS, produce);
    pthread_create(&consumer, 0, consume, 0);
    join_team(producers, PRODUCERS);
    pthread_join(consumer, 0);
    int sum = taken;
    for (int value = dequeue(); value != 0; value = dequeue())
        sum += value;
    assert(sum == PRODUCERS * (PRODUCERS + 1) / 2); //~ BUG!
    return 0;
}
