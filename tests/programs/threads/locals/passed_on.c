// A thread-local variable whose address is given away is shared like any other.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>

static __thread int mine;

static void *overwrite(void *place)
{
    *(int *)place = 7;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, overwrite, &mine);
    mine = 1;
    int seen = mine;
    pthread_join(thread, 0);
    assert(seen == 1); //~ BUG!
    return 0;
}
