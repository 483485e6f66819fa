// `memset` of eight words, of which the reader looks at the first and the last: four executions.
//@ verdict: unsafe(assert)
//@ flags: --reduce dpor
//@ rev bare:
//@ rev steps:
//@ clang[steps]: -DANYTHING
//@ verdict[steps]: safe
//@ executions[steps]: total=4 full=4 blocked=0
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ executions[locked]: total=2 full=2 blocked=0
#include "protected.h"
#include <assert.h>
#include <string.h>

static char buffer[64];

static void *fill(void *unused)
{
    begin();
    memset(buffer, 'x', sizeof buffer);
    end();
    return unused;
}

static void *look(void *unused)
{
    begin();
    char first = buffer[0], last = buffer[63];
    end();
#ifndef ANYTHING
    assert(first == 0 || last == 'x'); //~ BUG!
#else
    (void)first, (void)last;
#endif
    return unused;
}

int main(void)
{
    run_pair(fill, look);
    for (int i = 0; i < 64; i++)
        assert(buffer[i] == 'x');
    return 0;
}
