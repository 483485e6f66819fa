// Thread-local variables start as they were initialised, in every thread anew, and have addresses of their own.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=1 full=1 blocked=0
#include "../team.h"
#include <assert.h>

static __thread int counter = 5;
static _Thread_local int *self;
static int results[2];

static void *count(void *argument)
{
    assert(counter == 5 && self == 0);
    self = &counter;
    counter += number(argument) + 1;
    ++*self;
    results[number(argument)] = counter;
    return 0;
}

int main(void)
{
    counter = 100;
    run_team(2, count);
    assert(results[0] == 7 && results[1] == 8);
    assert(counter == 100 && self == 0);
    return 0;
}
