// An increment of a volatile is two steps, of an atomic one.
//@ verdict: unsafe(assert)
//@ rev plain:
//@ clang[plain]: '-DTYPE=volatile int'
//@ rev atomic:
//@ clang[atomic]: '-DTYPE=_Atomic int'
//@ verdict[atomic]: safe
#include "../team.h"
#include <assert.h>

#ifndef TYPE
#define TYPE _Atomic int
#endif

static TYPE counter;

static void *increment(void *unused)
{
    counter++;
    return unused;
}

int main(void)
{
    run_team(3, increment);
    assert(counter == 3); //~ BUG!
    return 0;
}
