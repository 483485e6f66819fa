// A loop that waits reads two variables one after the other. It may see the first one as it was before a change and the second
// one as it is after it, however often it has seen both unchanged. With BACK one of them is changed and changed back.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev sets: --reduce dpor --source-sets
//@ rev ag:
//@ rev no_slice: --no-slice
//@ rev none_back: --reduce none
//@ clang[none_back]: -DBACK
//@ rev dpor_back: --reduce dpor
//@ clang[dpor_back]: -DBACK
//@ rev ag_back:
//@ clang[ag_back]: -DBACK
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int first, second;

static void *look(void *unused)
{
    int one, two;
    do {
        one = first;
        two = second;
    } while (two == 0);
#ifdef BACK
    assert(one == 0);
#else
    assert(one == 1);
#endif
    return unused;
}

static void *change(void *unused)
{
    first = 1;
#ifdef BACK
    first = 0;
#endif
    second = 1;
    return unused;
}

int main(void)
{
    run_pair(look, change);
    return 0;
}
