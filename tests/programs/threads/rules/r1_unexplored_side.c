// R1: a side of a branch that was not explored is not known to be safe. When `low` is the last to write, no input leads
// into the branch; when `high` is, some do.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned x, n;

static void *high(void *unused)
{
    x = n & 15;
    return unused;
}

static void *low(void *unused)
{
    x = n & 7;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    n = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, high, 0);
    pthread_create(&b, 0, low, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (x > 7)
        assert(0); //~ BUG!
    return 0;
}
