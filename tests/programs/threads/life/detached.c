// Detached threads may still run when main exits, and go on when main only ends its own thread.
//@ verdict: unsafe(assert)
//@ rev main_exits_thread:
//@ clang[main_exits_thread]: -DGO_ON
//@ rev main_returns:
//@ verdict[main_returns]: safe
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int n_started;

static void *work(void *unused)
{
    n_started++;
#ifdef GO_ON
    assert(n_started < 2); //~ BUG!
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    int state;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&attributes, &state);
    assert(state == PTHREAD_CREATE_DETACHED);
    pthread_create(&thread, &attributes, work, 0);
    pthread_attr_destroy(&attributes);
    pthread_create(&thread, 0, work, 0);
    pthread_detach(thread);
#ifdef GO_ON
    pthread_exit(0);
#endif
    return 0;
}
