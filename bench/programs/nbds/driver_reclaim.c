// Threads read and replace a node that all of them share; what was replaced is retired.
// Verdict: safe.
// Exercises: reclamation by itself: nobody reads what has been released, and everything is released once.
//
// -DTHREADS=n   threads: the first one only reads      -DOPS=n       operations of each
// -DRECLAIM=n   how memory is reclaimed (reclaim.h)    -DREGISTER    the threads ask for their numbers
// -DNESTED      operations within operations           -DFLUSH       and release what they can at the end
#include "reclaim.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 1
#endif

typedef struct {
    int value;
    int check;
} Node;

static Link shared;
static atomic_int n_released;

static Node *node_with(int value)
{
    Node *node = obtain(sizeof *node);
    *node = (Node){value, -value};
    return node;
}

static void count_and_free(void *node, void *counter)
{
    atomic_fetch_add((atomic_int *)counter, 1);
    free(node);
}

static void read_it(int me)
{
    reclaim_begin(me);
#ifdef NESTED
    reclaim_begin(me);
    reclaim_end(me);
#endif
    Node *node;
    do {
        node = (Node *)atomic_load(&shared);
        reclaim_protect(me, 0, node);
    } while (RECLAIM == RECLAIM_HAZARDS && node != (Node *)atomic_load(&shared));
    int value = node->value;
    assert(value + node->check == 0);
    reclaim_end(me);
}

static void replace_it(int me, int value)
{
    reclaim_begin(me);
    Node *old = (Node *)atomic_exchange(&shared, (uintptr_t)node_with(value));
    reclaim_retire_with(me, old, count_and_free, &n_released);
    reclaim_end(me);
}

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument;
#ifdef REGISTER
    int me = reclaim_register();
    assert(me >= 0 && me < MAX_THREADS);
#else
    int me = number;
#endif
    for (int i = 0; i < OPS; i++) {
        if (number == 0)
            read_it(me);
        else
            replace_it(me, number * 10 + i);
    }
#ifdef FLUSH
    reclaim_flush(me);
#endif
#ifdef REGISTER
    reclaim_unregister(me);
#endif
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    shared = (uintptr_t)node_with(1);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(reclaim_is_sound());
    ReclaimAccount account = reclaim_account();
    assert(account.n_retired == (THREADS - 1) * OPS && account.n_threads == 0);
    assert((size_t)n_released == account.n_released);
    assert(reclaim_all() == (int)account.n_waiting);
    assert(n_released == (THREADS - 1) * OPS);
    free((void *)shared);
    return 0;
}
