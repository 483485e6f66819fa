// R5: an address that was resolved is a guard. The summary made while `p` points to `good` speaks of `good`, and is of no
// use where `p` points to `bad`.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>

static int good = 0, bad = 1;
static int *p;

static void *point_to_bad(void *unused)
{
    p = &bad;
    return unused;
}

static void *point_to_good(void *unused)
{
    p = &good;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, point_to_bad, 0);
    pthread_create(&b, 0, point_to_good, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(*p == 0); //~ BUG!
    return 0;
}
