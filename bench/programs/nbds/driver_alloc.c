// Threads allocate, write, check and release blocks; afterwards no block may be missing or there twice.
// Verdict: safe.
// Exercises: thread-local variables, locks that are rarely taken, data structures inside one large array of bytes.
//
// -DTHREADS=n  threads          -DROUNDS=n  rounds of each: BLOCKS blocks are allocated, then released
// -DBLOCKS=n   blocks at a time -DSIZE=n    their size; more than 128 is a large block
// -DSHARED     a thread releases what its neighbour has allocated
#include "allocator.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

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

static void *work(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        unsigned char *blocks[BLOCKS];
        for (int i = 0; i < BLOCKS; i++) {
            blocks[i] = pool_alloc(SIZE);
            assert(blocks[i] && (uintptr_t)blocks[i] % 16 == 0 && pool_usable(blocks[i]) >= SIZE);
            blocks[i][0] = blocks[i][SIZE - 1] = (unsigned char)(me * 16 + i);
        }
        for (int i = 0; i < BLOCKS; i++) {
            assert(blocks[i][0] == me * 16 + i && blocks[i][SIZE - 1] == me * 16 + i);
            pool_free(exchanged(blocks[i]));
        }
    }
    pool_leave();
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
    pool_free(exchanged(NULL));
    pool_leave();
    Account account = pool_account();
    assert(pool_is_sound());
    assert(account.n_cached_blocks == 0);
    assert(account.n_depot_blocks == account.n_spans * 4);
    if (SIZE > 128)
        assert(account.n_arena_bytes == ARENA_SIZE);
    return 0;
}
