// A section that never comes to its end takes nothing back of the one before it, although nobody else could come in
// between: what the first has written is there for others, who may come before the assumption fails.
//@ verdict: unsafe(assert)
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev none: --reduce none
//@ rev once: --reduce none
//@ clang[once]: -DONCE
//@ verdict[once]: safe
#include "../team.h"
#include <assert.h>
#include <selvedge.h>

static int value;

static void *check(void *unused)
{
    assert(value == 0); //~ BUG!
    return unused;
}

static void *set(void *unused)
{
    selvedge_atomic_begin();
    value = 1;
#ifndef ONCE
    selvedge_atomic_end();
    selvedge_atomic_begin();
#endif
    selvedge_assume(0);
    selvedge_atomic_end();
    return unused;
}

int main(void)
{
    run_pair(set, check);
    return 0;
}
