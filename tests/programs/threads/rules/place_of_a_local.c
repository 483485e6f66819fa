// Where a local lies follows from what is on the stack now. A function that has returned, whose local had to lie on a
// multiple of 64, leaves nothing behind; it did, and control states did not have it: a summary from the way without
// the call said that the assertion holds.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int n, done;

static void keep(volatile char *p)
{
    *p = 1;
}

static void aligned(void)
{
    _Alignas(64) char buffer[8];
    keep(buffer);
}

static uintptr_t place(void)
{
    char c;
    keep(&c);
    return (uintptr_t)&c & 63;
}

static void *other(void *unused)
{
    done = 1;
    n = n + 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    char first;
    keep(&first);
    pthread_create(&thread, 0, other, 0);
    if (done == 1)
        aligned();
    n = n + 2;
    assert(n > 0);
    assert(place() != 0);
    pthread_join(thread, 0);
    return 0;
}
