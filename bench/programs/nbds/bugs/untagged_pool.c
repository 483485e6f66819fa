// Seeded bug: the pool of blocks does not count the changes of its free list.
// Verdict: unsafe (assert): a thread reads the top of the free list and what is below; another one takes both and gives the
// first one back; the compare-and-swap then succeeds and makes a block free that is in use (the ABA problem).
#define WITHOUT_TAG
#include "../reclaim/blocks.c"
#include <pthread.h>

static Blocks *blocks;

static void use(int *block, int by)
{
    assert(block && *block == 0);
    *block = by;
}

static void give(int *block, int by)
{
    assert(*block == by);
    *block = 0;
    blocks_give(blocks, block);
}

static void *take_one(void *unused)
{
    int *block = blocks_take(blocks);
    if (block)
        use(block, 1);
    int *other = blocks_take(blocks);
    if (other)
        use(other, 1);
    return unused;
}

static void *take_two_and_return_one(void *unused)
{
    int *first = blocks_take(blocks), *second = blocks_take(blocks);
    if (first)
        use(first, 2);
    if (second)
        use(second, 2);
    if (first)
        give(first, 2);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    blocks = blocks_new(3, sizeof(int));
    int *all[3];
    for (int i = 0; i < 3; i++) {
        all[i] = blocks_take(blocks);
        *all[i] = 0;
    }
    for (int i = 0; i < 3; i++)
        blocks_give(blocks, all[i]);
    pthread_create(&threads[0], 0, take_one, 0);
    pthread_create(&threads[1], 0, take_two_and_return_one, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(blocks_are_sound(blocks));
    return 0;
}
