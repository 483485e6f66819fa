// A pointer that was never set, or that was put together from bits, may point to anything: no analysis of where pointers
// come from knows its targets, and what is written through it must be interleaved all the same.
//@ rev unset: --reduce ag
//@ rev bits: --reduce ag
//@ clang[bits]: -DBITS
//@ verdict: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

int g, r;

static void *writer(void *unused)
{
#ifdef BITS
    union {
        uint64_t word;
        int *pointer;
    } made = {0};
    uintptr_t address = (uintptr_t)&g;
    for (int i = 0; i < 64; i++)
        if (address >> i & 1)
            made.word |= 1ull << i;
    *made.pointer = 1;
#else
    int *pointer;
    if (pointer == &g)
        *pointer = 1;
#endif
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    r = g;
    pthread_join(t, 0);
    assert(r == 0); //~ BUG!
    return 0;
}
