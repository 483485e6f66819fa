// Threads may read clocks at the same time. Each reading is one step, later than the one before, and orders nothing else.
//@ verdict: safe
//@ flags: --check default,race
//@ rev time:
//@ rev ordered:
//@ clang[ordered]: -DUSE
//@ verdict[ordered]: unsafe(race)
#include "../team.h"
#include <assert.h>
#include <time.h>

static int data;

static void *look(void *unused)
{
#ifdef USE
    data++; //~ BUG!
#endif
    time_t before = time(0);
    time_t after = time(0);
    assert(before <= after);
    return unused;
}

int main(void)
{
    run_pair(look, look);
    return 0;
}
