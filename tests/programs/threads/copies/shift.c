// A range is moved up by one int, from its end: in the middle of it a value is there twice. The reader comes to its two
// reads before, between or after the writes of these places.
//@ verdict: unsafe(assert)
//@ flags: --reduce dpor
//@ rev bare:
//@ rev steps:
//@ clang[steps]: -DANYTHING
//@ verdict[steps]: safe
//@ executions[steps]: total=3 full=3 blocked=0
//@ rev down:
//@ clang[down]: -DDOWN
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ executions[locked]: total=2 full=2 blocked=0
#include "protected.h"
#include <assert.h>
#include <string.h>

static int values[7] = {0, 1, 2, 3, 4, 5, 6};

static void *shift(void *unused)
{
    begin();
#ifdef DOWN
    memmove(&values[0], &values[1], 5 * sizeof values[0]);
#else
    memmove(&values[1], &values[0], 5 * sizeof values[0]);
#endif
    end();
    return unused;
}

static void *look(void *unused)
{
#ifdef DOWN
    int first = values[1], second = values[2];
    assert(first != second); //~ BUG!
#else
    begin();
    int first = values[4], second = values[5];
    end();
#ifndef ANYTHING
    assert(first != second); //~ BUG!
#endif
#endif
    return unused;
}

int main(void)
{
    run_pair(shift, look);
#ifdef DOWN
    const int expected[7] = {1, 2, 3, 4, 5, 5, 6};
#else
    const int expected[7] = {0, 0, 1, 2, 3, 4, 6};
#endif
    assert(memcmp(values, expected, sizeof values) == 0);
    return 0;
}
