// The built-in atomic operations of compilers, with and without a memory order.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static int a, b, c, d = 5, swapped, ready, data, n_nand = 6;
static unsigned char small;
static long n_locked, guarded;

static void *work(void *argument)
{
    int me = number(argument);
    __sync_fetch_and_add(&a, 1);
    __sync_sub_and_fetch(&b, 1);
    __atomic_fetch_add(&c, 2, __ATOMIC_RELAXED);
    __atomic_or_fetch(&d, 2 << me, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&small, 200, __ATOMIC_ACQ_REL);
    if (__sync_bool_compare_and_swap(&swapped, 0, me + 1))
        assert(__sync_val_compare_and_swap(&swapped, 9, 8) == me + 1);
    if (me == 0) {
        data = 42;
        __atomic_store_n(&ready, 1, __ATOMIC_RELEASE);
        __sync_fetch_and_nand(&n_nand, 3);
    } else if (__atomic_load_n(&ready, __ATOMIC_ACQUIRE)) {
        assert(data == 42);
    }
    while (__sync_lock_test_and_set(&n_locked, 1)) {
    }
    guarded++;
    __sync_lock_release(&n_locked);
    return 0;
}

int main(void)
{
    run_team(2, work);
    assert(a == 2 && b == -2 && c == 4 && d == 7 && small == 144 && guarded == 2);
    assert((swapped == 1 || swapped == 2) && n_nand == ~(6 & 3));
    return 0;
}
