// A compare-exchange that fails is a read with its second order: relaxed, it does not order the data; acquiring, it does,
// whatever the order of an exchange that happens. A fence after a relaxed one orders, a fence against signals does not.
//@ verdict: unsafe(race)
//@ flags: --check default,race
//@ rev relaxed:
//@ clang[relaxed]: -DSUCCESS=memory_order_seq_cst -DFAILURE=memory_order_relaxed
//@ rev acquire:
//@ clang[acquire]: -DSUCCESS=memory_order_relaxed -DFAILURE=memory_order_acquire
//@ verdict[acquire]: safe
//@ rev fence:
//@ clang[fence]: -DSUCCESS=memory_order_relaxed -DFAILURE=memory_order_relaxed -DFENCE=atomic_thread_fence
//@ verdict[fence]: safe
//@ rev signal:
//@ clang[signal]: -DSUCCESS=memory_order_relaxed -DFAILURE=memory_order_relaxed -DFENCE=atomic_signal_fence
#include "../team.h"
#include <stdatomic.h>

static int data;
static atomic_int is_ready;

static void *produce(void *unused)
{
    data = 42; //~ BUG!
    atomic_store_explicit(&is_ready, 1, memory_order_release);
    return unused;
}

static void *consume(void *unused)
{
    int expected = 0;
    if (atomic_compare_exchange_strong_explicit(&is_ready, &expected, 2, SUCCESS, FAILURE))
        return unused;
#ifdef FENCE
    FENCE(memory_order_acquire);
#endif
    data++; //~ BUG!
    return unused;
}

int main(void)
{
    run_pair(produce, consume);
    return 0;
}
