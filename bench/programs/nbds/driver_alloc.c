// Threads allocate, write, check and release blocks; afterwards no block may be missing or there twice.
// Verdict: safe.
// Exercises: thread-local variables with a destructor, locks that are rarely taken, a list without a lock, data structures
// inside one large array of bytes.
//
// -DTHREADS=n  threads          -DROUNDS=n  rounds of each: BLOCKS blocks are allocated, then released
// -DBLOCKS=n   blocks at a time -DSIZE=n    their size; more than 128 is a large block
// -DMIXED      sizes differ     -DINPUTS    each size is an input: SIZE, 48, or 300
// -DUNSETTLED  inputs stay symbolic until something depends on them; else they are settled before a block is allocated
// -DSHARED     a thread releases what its neighbour has allocated
// -DPOOL_ARENAS=n  arenas that the threads are spread over
// -DLEAVE      the threads leave the pool themselves, before they end
#include "alloc/pool.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif
#ifndef BLOCKS
#define BLOCKS 1
#endif
#ifndef SIZE
#define SIZE 16
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *handed_over;
static unsigned choices[THREADS][BLOCKS];

static void *exchanged(void *block)
{
#ifdef SHARED
    pthread_mutex_lock(&lock);
    void *other = handed_over;
    handed_over = block;
    pthread_mutex_unlock(&lock);
    return other;
#else
    (void)lock;
    (void)handed_over;
    return block;
#endif
}

static size_t size_of(unsigned choice)
{
#ifdef UNSETTLED
    return choice == 0 ? SIZE : choice == 1 ? 48 : 300;
#else
    switch (choice) {
    case 0:
        return SIZE;
    case 1:
        return 48;
    default:
        return 300;
    }
#endif
}

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    pool_use_arena((unsigned)me % POOL_ARENAS);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char *blocks[BLOCKS];
        size_t sizes[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            /* From here on it is known which size it is, though it may be an input. */
            size_t size = sizes[i] = size_of(choices[me][i]);
            blocks[i] = pool_alloc(size);
            assert(blocks[i] && (uintptr_t)blocks[i] % POOL_ALIGNMENT == 0 && pool_usable(blocks[i]) >= size);
            blocks[i][0] = blocks[i][size - 1] = (unsigned char)(me * 16 + i);
        }
        for (int i = 0; i < BLOCKS; i++) {
            assert(blocks[i][0] == me * 16 + i && blocks[i][sizes[i] - 1] == me * 16 + i);
            pool_free(exchanged(blocks[i]));
        }
    }
#ifdef LEAVE
    pool_leave();
#endif
    return 0;
}

static void choose(void)
{
    for (int thread = 0; thread < THREADS; thread++)
        for (int i = 0; i < BLOCKS; i++) {
            unsigned choice = 0;
#ifdef MIXED
            choice = (unsigned)(thread + i) % 3;
#endif
#ifdef INPUTS
            choice = __VERIFIER_nondet_uint();
            __VERIFIER_assume(choice < 3);
#endif
            choices[thread][i] = choice;
        }
}

int main(void)
{
    pthread_t threads[THREADS];
    pool_init();
    choose();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    pool_free(exchanged(NULL));
    PoolAudit audit = pool_audit();
    assert(audit.fault == POOL_SOUND && audit.n_in_use == 0);
    size_t n_system_bytes = pool_statistics().n_system_bytes;
    assert(pool_trim() == n_system_bytes);
    assert(pool_audit().fault == POOL_SOUND && pool_statistics().n_system_bytes == 0);
    return 0;
}
