// Threads use a non-blocking list whose keys are strings of bytes and whose nodes come from a small pool, where a block that is
// released is soon used again.
// Verdict: safe.
// Exercises: copies of keys that live as long as their nodes; the ABA problem, if nodes were released too early.
//
// -DTHREADS=n   threads                      -DOPS=n   operations of each: a key is removed and added again
// -DSKIPLIST, -DTALL, -DRECLAIM=n as in the other drivers; -DREGISTER lets the threads ask for their numbers
#include "reclaim.h"
#include "reclaim/blocks.h"
#include "which.h"
#include <pthread.h>

#ifndef THREADS
#define THREADS 2
#endif
#ifndef OPS
#define OPS 1
#endif
#define N_BLOCKS 12
#define BLOCK_SIZE 128

static Map *map;
static Blocks *blocks;
static Memory memory;
static MapOptions options;
static int n_left[THREADS];

static const char *const names[] = {"warp", "weft", "warp and weft"};

static Bytes *name(int i)
{
    size_t length = 0;
    while (names[i][length])
        length++;
    return bytes_new(NULL, names[i], length);
}

static void *work(void *argument)
{
    int number = (int)(intptr_t)argument;
#ifdef REGISTER
    int me = reclaim_register();
    assert(me >= 0 && me < MAX_THREADS);
#else
    int me = number;
#endif
    for (int i = 0; i < OPS; i++) {
        Bytes *key = name(number % 2 ? 2 : i % 3);
        Word value;
        if (MAP(remove)(map, me, (Word)key, &value)) {
            assert(value == key->length);
            n_left[number]--;
        }
        if (number % 2 == 0 && add_key(map, me, (Word)key, key->length))
            n_left[number]++;
        /* The list has copies of its own. */
        key->bytes[0] = 'x';
        free(key);
    }
#ifdef REGISTER
    reclaim_unregister(me);
#endif
    return 0;
}

int main(void)
{
    pthread_t threads[THREADS];
    blocks = blocks_new(N_BLOCKS, BLOCK_SIZE);
    memory = blocks_memory(blocks);
    options = (MapOptions){&byte_key_type, &memory};
    map = MAP(new_with)(&options);
    int n = 0;
    for (int i = 0; i < 3; i += 2) {
        Bytes *key = name(i);
        n += add_key(map, 0, (Word)key, key->length);
        free(key);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], 0, work, (void *)(intptr_t)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], 0);
    assert(MAP(is_sound)(map));
    for (int i = 0; i < THREADS; i++)
        n += n_left[i];
    assert(MAP(count)(map) == n);
    assert(reclaim_is_sound());
    MAP(free)(map);
    reclaim_all();
    assert(blocks_are_sound(blocks) && blocks_left(blocks) == N_BLOCKS);
    blocks_free(blocks);
    return 0;
}
