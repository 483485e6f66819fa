// A structure of ten ints is assigned while another thread copies it: five words, of each of which the reader sees the
// old or the new value, 2^5 executions. Under a lock, or in an atomic section, there are two; with -m32 words are ints.
//@ verdict: unsafe(assert)
//@ flags: --reduce dpor
//@ rev bare:
//@ rev all: --all-bugs
//@ executions[all]: total=32 full=16 failed=16 blocked=0
//@ rev words: --all-bugs
//@ clang[words]: -DCHECK=0
//@ verdict[words]: safe
//@ executions[words]: total=32 full=32 blocked=0
//@ rev small: --all-bugs
//@ clang[small]: -DCHECK=0 -m32
//@ verdict[small]: safe
//@ executions[small]: total=1024 full=1024 blocked=0
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ executions[locked]: total=2 full=2 blocked=0
//@ rev section:
//@ clang[section]: -DSECTION
//@ verdict[section]: safe
//@ executions[section]: total=2 full=2 blocked=0
#include "protected.h"
#include <assert.h>

#ifndef CHECK
#define CHECK 1
#endif

struct ten {
    int values[10];
};

static struct ten shared;

static void *writes(void *unused)
{
    struct ten ones = {{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
    begin();
    shared = ones;
    end();
    return unused;
}

static void *reads(void *unused)
{
    struct ten seen;
    begin();
    seen = shared;
    end();
    assert(!CHECK || seen.values[0] == seen.values[9]);
    return unused;
}

int main(void)
{
    run_pair(writes, reads);
    for (int i = 0; i < 10; i++)
        assert(shared.values[i] == 1);
    return 0;
}
