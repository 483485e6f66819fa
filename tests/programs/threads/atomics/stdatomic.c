// The operations of <stdatomic.h>: none of them loses an update of the other thread.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int sum, difference, bits, mask = 7, toggles;
static atomic_uint product = 1;
static atomic_bool flag;
static _Atomic long long wide;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static int n_first, plain;

static void *work(void *argument)
{
    int me = number(argument);
    atomic_fetch_add(&sum, me + 1);
    atomic_fetch_sub(&difference, 2);
    atomic_fetch_or(&bits, 1 << me);
    atomic_fetch_and(&mask, ~(1 << me));
    atomic_fetch_xor(&toggles, 3);
    product *= 3;
    wide += 1LL << 40;
    if (!atomic_exchange(&flag, 1))
        n_first++;
    while (atomic_flag_test_and_set(&lock)) {
    }
    plain++;
    atomic_flag_clear(&lock);
    return 0;
}

int main(void)
{
    run_team(2, work);
    assert(sum == 3 && difference == -4 && bits == 3 && mask == 4 && toggles == 0);
    assert(product == 9 && wide == 1LL << 41 && n_first == 1 && plain == 2);
    return 0;
}
