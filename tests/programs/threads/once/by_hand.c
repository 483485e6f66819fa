// Once by hand, with a flag that is tested and set in two steps: the function runs twice.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int is_done, n_runs;

static void *use(void *unused)
{
    if (!is_done) {
        is_done = 1;
        n_runs++;
    }
    return unused;
}

int main(void)
{
    run_pair(use, use);
    assert(n_runs == 1); //~ BUG!
    return 0;
}
