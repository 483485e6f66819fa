// Loops that wait and do other things as well: one keeps what it has read in memory of its own, one walks round a list.
//@ verdict: safe
//@ rev dpor: --reduce dpor
//@ rev ag:
//@ rev walk_dpor: --reduce dpor
//@ clang[walk_dpor]: -DWALK
//@ rev walk:
//@ clang[walk]: -DWALK
//@ rev never: --check deadlock
//@ clang[never]: -DNEVER
//@ verdict[never]: unsafe(livelock)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

typedef struct Node {
    struct Node *_Atomic next;
    atomic_int is_ready;
} Node;

static Node first, second;

static void *wait(void *argument)
{
#ifdef WALK
    Node *node;
    for (node = &first; !node->is_ready; node = node->next) {
    }
    assert(node == &second);
#else
    volatile int seen[2] = {0};
    int at = argument == 0;
    do
        seen[at] = second.is_ready;
    while (!seen[at]);
    assert(seen[at] == 1);
#endif
    return argument;
}

static void *make_ready(void *unused)
{
#ifndef NEVER
    second.is_ready = 1;
    first.next = &second;
#endif
    return unused;
}

int main(void)
{
    first.next = &first;
    run_pair(wait, make_ready);
    return 0;
}
