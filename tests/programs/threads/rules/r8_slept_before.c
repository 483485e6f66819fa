// R8: a summary that was made while a thread slept does not cover what that thread would have done first. After `set`,
// the states in which `add` has still to write are met with it asleep before they are met with it awake.
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
    pthread_join(a, 0);
    assert(x != 3); //~ BUG!
    return 0;
}
