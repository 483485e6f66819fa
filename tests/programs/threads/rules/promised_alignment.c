// What an address was promised to be a multiple of decides whether looking at its bits relies on the layout: a summary
// made with the larger promise does not hide that the smaller one is not enough.
//@ verdict: safe
//@ assumes: layout.address-bits world.memory-succeeds world.threads-succeed
//@ rev ag:
//@ rev dpor: --reduce dpor
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int n, done;
static char *block;

static void *other(void *unused)
{
    done = 1;
    n = n + 1;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    block = aligned_alloc(done == 1 ? 16 : 64, 64);
    n = n + 2;
    assert(n > 0);
    assert(((uintptr_t)block & 63) == 0);
    pthread_join(thread, 0);
    return 0;
}
