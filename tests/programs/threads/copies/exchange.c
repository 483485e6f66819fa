// Two threads copy the same two words in opposite directions. Of each word one copy comes first, or both read before
// either writes and the values change places: 3^2 executions.
//@ verdict: unsafe(assert)
//@ flags: --reduce dpor
//@ rev bare:
//@ rev words:
//@ clang[words]: -DANYTHING
//@ verdict[words]: safe
//@ executions[words]: total=9 full=9 blocked=0
//@ rev one_word:
//@ clang[one_word]: -DANYTHING -DWORDS=1
//@ verdict[one_word]: safe
//@ executions[one_word]: total=3 full=3 blocked=0
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ executions[locked]: total=2 full=2 blocked=0
#include "protected.h"
#include <assert.h>
#include <string.h>

#ifndef WORDS
#define WORDS 2
#endif

static long left[WORDS] = {1}, right[WORDS] = {2};

static void copy(long *to, long *from)
{
    begin();
    memcpy(to, from, sizeof left);
    end();
}

static void *to_left(void *unused)
{
    copy(left, right);
    return unused;
}

static void *to_right(void *unused)
{
    copy(right, left);
    return unused;
}

int main(void)
{
    run_pair(to_left, to_right);
#ifndef ANYTHING
    assert(left[0] == right[0]); //~ BUG!
#endif
    return 0;
}
