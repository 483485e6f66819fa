// Data handed over by a flag: a plain flag races, one that is released and acquired orders the data too, and a relaxed one
// only itself.
//@ verdict: unsafe(race)
//@ flags: --check default,race
//@ rev relaxed:
//@ clang[relaxed]: -DSTORE=memory_order_relaxed -DLOAD=memory_order_acquire
//@ rev release:
//@ clang[release]: -DSTORE=memory_order_release -DLOAD=memory_order_acquire
//@ verdict[release]: safe
//@ rev consistent:
//@ verdict[consistent]: safe
#include "../team.h"
#include <stdatomic.h>

#ifndef STORE
#define STORE memory_order_seq_cst
#define LOAD memory_order_seq_cst
#endif

static int data;
static atomic_int is_ready;

static void *produce(void *unused)
{
    data = 42; //~ BUG!
    atomic_store_explicit(&is_ready, 1, STORE);
    return unused;
}

static void *consume(void *unused)
{
    if (atomic_load_explicit(&is_ready, LOAD))
        data++; //~ BUG!
    return unused;
}

int main(void)
{
    run_pair(produce, consume);
    return 0;
}
