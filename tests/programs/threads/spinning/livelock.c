// Two threads each wait for the other to go first.
//@ verdict: unsafe(livelock)
#include "../team.h"
#include <stdatomic.h>

static atomic_int has_gone[2];

static void *after_you(void *argument)
{
    int me = number(argument);
    while (!has_gone[1 - me]) {
    }
    has_gone[me] = 1;
    return 0;
}

int main(void)
{
    run_team(2, after_you);
    return 0;
}
