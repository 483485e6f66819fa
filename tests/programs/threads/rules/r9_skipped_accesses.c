// R9: what is skipped takes part in races. The write of `add` is often in a part that is skipped, and that `set` could
// come between what `add` reads and what it writes shows only there.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>

static int x = 1;

static void *set(void *unused)
{
    x = 2;
    return unused;
}

static void *add(void *unused)
{
    x = x + 2;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, add, 0);
    int before = x;
    pthread_join(a, 0);
    assert(before > 2 || x != 3); //~ BUG!
    return 0;
}
