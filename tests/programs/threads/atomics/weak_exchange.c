// A weak compare-exchange may fail although the values are equal; only with --spurious it does. In a loop that is no harm.
//@ verdict: safe
//@ rev strict:
//@ rev strict_once:
//@ clang[strict_once]: -DONCE
//@ rev spurious: --spurious
//@ rev spurious_once: --spurious
//@ clang[spurious_once]: -DONCE
//@ verdict[spurious_once]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int value;

int main(void)
{
    int expected = 0;
#ifdef ONCE
    assert(atomic_compare_exchange_weak(&value, &expected, 1)); //~ BUG!
#else
    for (int tries = 0; tries < 3; tries++) {
        if (atomic_compare_exchange_weak(&value, &expected, 1))
            break;
        assert(expected == 0);
    }
    assert(value == 0 || value == 1);
#endif
    expected = 7;
    assert(!atomic_compare_exchange_strong(&value, &expected, 2));
    assert(expected == value);
    return 0;
}
