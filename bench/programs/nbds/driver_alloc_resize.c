// Threads let blocks grow and shrink; their content must survive, and large blocks must not take each other's pages.
// Verdict: safe.
// Exercises: spans that are split and merged, growth in place against a neighbour's allocation, aligned blocks.
//
// -DTHREADS=n  threads       -DSTEPS=n  sizes that each goes through, at most 5       -DALIGNED  blocks begin at a page
#include "alloc/pool.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef STEPS
#define STEPS 2
#endif

/* Large, grown, shrunk, small, large again. */
static const size_t sizes[] = {200, 500, 260, 40, 700};

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    unsigned char mark = (unsigned char)(me + 1);
#ifdef ALIGNED
    unsigned char *block = pool_alloc_aligned(2 * POOL_PAGE, sizes[0]);
    assert(block && (uintptr_t)block % (2 * POOL_PAGE) == 0);
#else
    unsigned char *block = pool_alloc_zeroed(sizes[0] / 8, 8);
    assert(block && block[sizes[0] - 1] == 0);
#endif
    block[0] = block[sizes[0] - 1] = mark;
    for (int i = 1; i < STEPS; i++) {
        size_t kept = sizes[i - 1] < sizes[i] ? sizes[i - 1] : sizes[i];
        block[kept - 1] = mark;
        block = pool_resize(block, sizes[i]);
        assert(block && pool_usable(block) >= sizes[i]);
        assert(block[0] == mark && block[kept - 1] == mark);
        block[sizes[i] - 1] = mark;
    }
    assert(block[0] == mark);
    pool_free(block);
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    pool_init();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    PoolAudit audit = pool_audit();
    assert(audit.fault == POOL_SOUND && audit.n_in_use == 0);
    pool_trim();
    assert(pool_statistics().n_system_bytes == 0);
    return 0;
}
