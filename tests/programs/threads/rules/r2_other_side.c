// R2: what is safe on one side of a branch says nothing about the other. Inputs decide about the branch; one side of it
// is always safe, the other only when `good` is the last to write.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int y;

static void *bad(void *unused)
{
    y = 1;
    return unused;
}

static void *good(void *unused)
{
    y = 0;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    int looks = __VERIFIER_nondet_int();
    pthread_create(&a, 0, bad, 0);
    pthread_create(&b, 0, good, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (looks > 5)
        assert(y == 0); //~ BUG!
    return 0;
}
