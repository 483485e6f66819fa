// A section that never comes to its end, because the program ends in it or an assumption fails, has done nothing: others
// must not see what it has written, nor the thread that it has started.
//@ verdict: safe
//@ rev assume:
//@ clang[assume]: -DEND=selvedge_assume(0)
//@ rev assume_none: --reduce none
//@ clang[assume_none]: -DEND=selvedge_assume(0)
//@ rev exit:
//@ clang[exit]: -DEND=exit(0)
//@ rev start:
//@ clang[start]: -DEND=pthread_create(&third,0,check,0);exit(0)
//@ rev finished:
//@ clang[finished]: -DEND=(void)0
//@ verdict[finished]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <selvedge.h>
#include <stdlib.h>

static int value;
static pthread_t third;

static void *check(void *unused)
{
    assert(value == 0); //~ BUG!
    return unused;
}

static void *set(void *unused)
{
    selvedge_atomic_begin();
    value = 1;
    END;
    selvedge_atomic_end();
    return unused;
}

int main(void)
{
    run_pair(set, check);
    return third != 0;
}
