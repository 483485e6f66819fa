// Some threads allocate blocks and hand them to others, which release them: blocks come back to the bins without a lock.
// Verdict: safe.
// Exercises: a list that is pushed to by compare-and-swap and taken as a whole, while a cache is filled from the same bin.
//
// -DBLOCKS=n  blocks of each thread that releases       -DRELEASERS=n  such threads       -DMORE=n  blocks that one more
// thread allocates meanwhile
// To be compiled with -DPOOL_CACHE_BLOCKS=1, so that a cache soon has too many.
#include "alloc/pool.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef RELEASERS
#define RELEASERS 1
#endif
#ifndef MORE
#define MORE 2
#endif

static unsigned char *blocks[RELEASERS][BLOCKS];

static void *release(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < BLOCKS; i++) {
        assert(*blocks[me][i] == me * 16 + i);
        pool_free(blocks[me][i]);
    }
    return 0;
}

static void *allocate(void *unused)
{
    unsigned char *mine[MORE];
    for (int i = 0; i < MORE; i++) {
        mine[i] = pool_alloc(64);
        assert(mine[i]);
        *mine[i] = (unsigned char)(0x80 + i);
    }
    for (int i = 0; i < MORE; i++) {
        assert(*mine[i] == 0x80 + i);
        pool_free(mine[i]);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[RELEASERS + 1];
    pool_init();
    for (int i = 0; i < RELEASERS; i++)
        for (int j = 0; j < BLOCKS; j++) {
            blocks[i][j] = pool_alloc(64);
            assert(blocks[i][j]);
            *blocks[i][j] = (unsigned char)(i * 16 + j);
        }
    pool_leave();
    for (int i = 0; i < RELEASERS; i++)
        pthread_create(&threads[i], 0, release, (void *)(intptr_t)i);
    pthread_create(&threads[RELEASERS], 0, allocate, 0);
    for (int i = 0; i <= RELEASERS; i++)
        pthread_join(threads[i], 0);
    PoolAudit audit = pool_audit();
    assert(audit.fault == POOL_SOUND && audit.n_in_use == 0);
    return 0;
}
