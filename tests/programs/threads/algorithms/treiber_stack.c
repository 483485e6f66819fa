// A lock-free stack after Treiber, as indices with a version. Without the version a node that is popped and pushed again
// looks as if nothing had happened (ABA), and a node that somebody owns comes back.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef NODES
#define NODES 3
#endif
#ifndef POPPERS
#define POPPERS 1
#endif
#define NONE 0u

/* The top: the index of a node in the low half, in the high half a number that each push changes. */
static _Atomic uint64_t top;
static _Atomic uint32_t below[NODES + 1];
static atomic_int owners[NODES + 1];

static void push(uint32_t node)
{
    uint64_t old = top, new;
    owners[node]--;
    do {
        below[node] = (uint32_t)old;
#ifdef BROKEN
        new = node;
#else
        new = ((old >> 32) + 1) << 32 | node;
#endif
    } while (!atomic_compare_exchange_strong(&top, &old, new));
}

static uint32_t pop(void)
{
    uint64_t old = top, new;
    do {
        if ((uint32_t)old == NONE)
            return NONE;
        new = (old & ~(uint64_t)UINT32_MAX) | below[(uint32_t)old];
    } while (!atomic_compare_exchange_strong(&top, &old, new));
    assert(++owners[(uint32_t)old] == 1); //~ BUG!
    return (uint32_t)old;
}

static void *pop_two_push_first(void *unused)
{
    uint32_t first = pop();
    pop();
    if (first != NONE)
        push(first);
    return unused;
}

static void *pop_one(void *unused)
{
    pop();
    return unused;
}

int main(void)
{
    for (uint32_t node = 1; node <= NODES; node++) {
        owners[node] = 1;
        push(node);
    }
    pthread_t threads[POPPERS + 1];
    start_team(threads, POPPERS, pop_one);
    pthread_create(&threads[POPPERS], 0, pop_two_push_first, 0);
    join_team(threads, POPPERS + 1);
    while (pop() != NONE) {
    }
    return 0;
}
