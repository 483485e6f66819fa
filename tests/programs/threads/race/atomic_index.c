// Which atomic variable is released and acquired depends on inputs: one that was not released orders nothing.
//@ verdict: safe
//@ flags: --check default,race
//@ rev same:
//@ rev any:
//@ clang[any]: -DANY
//@ verdict[any]: unsafe(race)
#include "../team.h"
#include <selvedge.h>
#include <stdatomic.h>

static atomic_int flags[4];
static unsigned i, j;
static int data;

static void *produce(void *unused)
{
    data = 42; //~ BUG!
    atomic_store_explicit(&flags[i], 1, memory_order_release);
    return unused;
}

static void *consume(void *unused)
{
#ifdef ANY
    int is_ready = atomic_load_explicit(&flags[j], memory_order_acquire) | atomic_load_explicit(&flags[i], memory_order_relaxed);
#else
    int is_ready = atomic_load_explicit(&flags[j], memory_order_acquire);
#endif
    if (is_ready)
        data++; //~ BUG!
    return unused;
}

int main(void)
{
    i = selvedge_uint("i");
    j = selvedge_uint("j");
    selvedge_assume(i < 4 && j < 4);
    run_pair(produce, consume);
    return 0;
}
