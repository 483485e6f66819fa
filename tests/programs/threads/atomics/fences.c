// Store buffering: under sequential consistency not both threads can read zero, with or without fences.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=3 full=3 blocked=0
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen[2];

static void *left(void *unused)
{
    atomic_store_explicit(&x, 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    seen[0] = atomic_load_explicit(&y, memory_order_relaxed);
    return unused;
}

static void *right(void *unused)
{
    atomic_store_explicit(&y, 1, memory_order_relaxed);
    __sync_synchronize();
    seen[1] = atomic_load_explicit(&x, memory_order_relaxed);
    return unused;
}

int main(void)
{
    run_pair(left, right);
    assert(seen[0] == 1 || seen[1] == 1);
    return 0;
}
