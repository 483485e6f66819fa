// main returns while a thread is still at work: what the thread would do later does not happen, but it may do it before.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>

static void *fail(void *unused)
{
    assert(0); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, fail, 0);
    return 0;
}
