// Threads allocate, write, check and release blocks of nedmalloc. -DTHREADS=n, -DBLOCKS=1 or 2 for each; with
// -DKEEP they do not give their caches up before they end.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#include "nedmalloc.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    unsigned char *first = nedmalloc(24);
    assert(first);
    first[0] = first[23] = (unsigned char)(me + 1);
#if BLOCKS > 1
    unsigned char *second = nedmalloc(40);
    assert(second);
    second[0] = second[39] = 99;
#endif
    assert(first[0] == me + 1 && first[23] == me + 1);
    nedfree(first);
#if BLOCKS > 1
    assert(second[0] == 99 && second[39] == 99);
    nedfree(second);
#endif
#ifndef KEEP
    neddisablethreadcache(0);
#endif
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    return 0;
}
