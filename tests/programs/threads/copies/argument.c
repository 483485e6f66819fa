// A structure passed by value is read word by word while another thread changes it: the first and the last word are
// seen old and old, old and new, or new and new; as the writer begins with the last one, never new and old.
//@ verdict: unsafe(assert)
//@ flags: --reduce dpor
//@ rev bare:
//@ rev steps:
//@ clang[steps]: -DANYTHING
//@ verdict[steps]: safe
//@ executions[steps]: total=3 full=3 blocked=0
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ executions[locked]: total=2 full=2 blocked=0
#include "protected.h"
#include <assert.h>

struct three {
    long first, second, last;
};

static struct three shared;

static int is_whole(struct three three)
{
    return three.first == three.last && three.second == 0;
}

static void *change(void *unused)
{
    begin();
    shared.last = 1;
    shared.first = 1;
    end();
    return unused;
}

static void *look(void *unused)
{
    begin();
    int whole = is_whole(shared);
    end();
#ifndef ANYTHING
    assert(whole); //~ BUG!
#else
    (void)whole;
#endif
    return unused;
}

int main(void)
{
    run_pair(change, look);
    return 0;
}
