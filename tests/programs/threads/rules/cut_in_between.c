// What a bound cuts is not known to be safe, although the cut itself is no failure. How often the loop has run is not part
// of what a summary is about: the state in which the writer is half done is met in the last iteration that the bound
// allows, and then in earlier ones, from which there is time enough to see both values.
//@ verdict: unsafe(assert)
//@ flags: --unwind 4
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag: --reduce ag
#include <assert.h>
#include <pthread.h>

static int x;

static void *write_both(void *unused)
{
    x = 1;
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t writer;
    int before = 0;
    pthread_create(&writer, 0, write_both, 0);
    for (int i = 0; i < 100; i++) {
        int now = x;
        assert(before != 1 || now != 2); //~ BUG!
        before = now;
    }
    return 0;
}
