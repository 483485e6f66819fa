// A thread that a summary covers must not sleep below the threads that slept when the summary was made: what these do
// before it was not explored then. The thread that does nothing makes for the states in which that matters.
//@ verdict: unsafe(assert)
//@ rev none: --reduce none
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>

static int x = 2;

static void *set(void *unused)
{
    x = 1;
    return unused;
}

static void *add(void *unused)
{
    x = x + 1;
    return unused;
}

static void *nothing(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t a, b, c;
    pthread_create(&a, 0, set, 0);
    pthread_create(&b, 0, add, 0);
    pthread_create(&c, 0, nothing, 0);
    pthread_join(a, 0);
    assert(x != 3); //~ BUG!
    return 0;
}
