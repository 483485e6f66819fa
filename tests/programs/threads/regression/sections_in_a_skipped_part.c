// Two sections that do one thing or another, of which one sleeps while the part is skipped in which both come. What the
// other thread does between them was not tried: the lost schedule is `write_twice`, then `clear`, then `set`.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
//@ rev ag:
//@ rev no_slice: --no-slice
//@ rev sets: --source-sets
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x, y;

static void *clear(void *unused)
{
    __VERIFIER_atomic_begin();
    if (x == 0)
        y = 0;
    else
        x = 0;
    __VERIFIER_atomic_end();
    return unused;
}

static void *set(void *unused)
{
    x = 2;
    return unused;
}

static void *write_twice(void *unused)
{
    __VERIFIER_atomic_begin();
    if (x == 1)
        y = 2;
    __VERIFIER_atomic_end();
    y = 1;
    return unused;
}

int main(void)
{
    pthread_t setter, clearer, writer;
    pthread_create(&setter, 0, set, 0);
    pthread_create(&clearer, 0, clear, 0);
    pthread_create(&writer, 0, write_twice, 0);
    pthread_join(clearer, 0);
    pthread_join(setter, 0);
    pthread_join(writer, 0);
    assert(!(x == 2 && y == 0));
    return 0;
}
