// A loop around a weak compare-exchange gives the same with and without failures for no reason.
//@ verdict: safe
//@ rev strict:
//@ rev spurious: --spurious
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int sum;

static void *add(void *argument)
{
    int old = sum;
    while (!atomic_compare_exchange_weak(&sum, &old, old + number(argument) + 1)) {
    }
    return 0;
}

int main(void)
{
    run_team(2, add);
    assert(sum == 3);
    return 0;
}
