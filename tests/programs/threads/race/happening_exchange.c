// A compare-exchange that happens has its first order, and the acquiring order of a failure is none of its business.
// It also continues the sequence of the release that it reads from.
//@ verdict: unsafe(race)
//@ flags: --check default,race
//@ rev relaxed:
//@ clang[relaxed]: -DSUCCESS=memory_order_relaxed
//@ rev acquire:
//@ clang[acquire]: -DSUCCESS=memory_order_acquire
//@ verdict[acquire]: safe
#include "../team.h"
#include <stdatomic.h>

static int data;
static atomic_int state;

static void *produce(void *unused)
{
    data = 42; //~ BUG!
    atomic_store_explicit(&state, 1, memory_order_release);
    atomic_fetch_add_explicit(&state, 1, memory_order_relaxed);
    return unused;
}

static void *consume(void *unused)
{
    int expected = 2;
    if (atomic_compare_exchange_strong_explicit(&state, &expected, 3, SUCCESS, memory_order_acquire))
        data++; //~ BUG!
    return unused;
}

int main(void)
{
    run_pair(produce, consume);
    return 0;
}
