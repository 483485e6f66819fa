// What a bound cuts is not known to be safe, although the cut itself is no failure. The state in which `main` has written
// one of its values is met in the last iteration that the bound allows, and then in earlier ones, from which there is time
// enough to see both values.
//@ verdict: unsafe(assert)
//@ flags: --unwind 4
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include <assert.h>
#include <pthread.h>

static int x;

static void *watch(void *unused)
{
    int before = 0;
    for (int i = 0; i < 100; i++) {
        int now = x;
        assert(before != 1 || now != 2); //~ BUG!
        before = now;
    }
    return unused;
}

int main(void)
{
    pthread_t watcher;
    pthread_create(&watcher, 0, watch, 0);
    x = 1;
    x = 2;
    pthread_join(watcher, 0);
    return 0;
}
