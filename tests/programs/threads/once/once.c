// The function runs once, and is over before any of the calls returns.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n_runs, value;

static void prepare(void)
{
    n_runs++;
    value = 42;
}

static void *use(void *unused)
{
    pthread_once(&once, prepare);
    assert(value == 42);
    return unused;
}

int main(void)
{
    run_team(3, use);
    assert(n_runs == 1);
    return 0;
}
