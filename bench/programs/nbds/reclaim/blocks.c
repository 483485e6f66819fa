/* A pool of blocks of one size; see blocks.h. */
#include "blocks.h"

/* A number of a block plus one, so that 0 is none, in the lower half; the tag in the upper half. */
typedef uint64_t Top;

struct Blocks {
    _Atomic Top top;
    uint32_t n_blocks;
    size_t size; /* Of a block, rounded up. */
    unsigned char *memory;
    /* Below a free block in the stack: again a number plus one. */
    _Atomic uint32_t below[];
};

static Top top_of(uint32_t number, uint32_t tag)
{
    return (Top)tag << 32 | number;
}

static uint32_t number_of(Top top)
{
    return (uint32_t)top;
}

static uint32_t next_tag(Top top)
{
#ifdef WITHOUT_TAG
    (void)top;
    return 0;
#else
    return (uint32_t)(top >> 32) + 1;
#endif
}

Blocks *blocks_new(uint32_t n_blocks, size_t size)
{
    Blocks *blocks = obtain(sizeof *blocks + n_blocks * sizeof blocks->below[0]);
    size_t alignment = _Alignof(max_align_t);
    blocks->n_blocks = n_blocks;
    blocks->size = (size + alignment - 1) / alignment * alignment;
    blocks->memory = obtain(blocks->size * n_blocks);
    for (uint32_t i = 0; i < n_blocks; i++)
        atomic_init(&blocks->below[i], i + 1 < n_blocks ? i + 2 : 0);
    atomic_init(&blocks->top, top_of(n_blocks > 0, 0));
    return blocks;
}

static void *block_at(const Blocks *blocks, uint32_t number)
{
    return blocks->memory + (size_t)(number - 1) * blocks->size;
}

/* The number of a block, or 0 if it is not of this pool. */
static uint32_t block_number(const Blocks *blocks, const void *block)
{
    uintptr_t from = (uintptr_t)blocks->memory, at = (uintptr_t)block;
    if (at < from || at >= from + blocks->size * blocks->n_blocks)
        return 0;
    return (uint32_t)((at - from) / blocks->size) + 1;
}

void *blocks_take(Blocks *blocks)
{
    Top top = atomic_load(&blocks->top);
    for (;;) {
        uint32_t number = number_of(top);
        if (number == 0)
            return NULL;
        uint32_t below = atomic_load(&blocks->below[number - 1]);
        if (atomic_compare_exchange_strong(&blocks->top, &top, top_of(below, next_tag(top))))
            return block_at(blocks, number);
    }
}

void blocks_give(Blocks *blocks, void *block)
{
    uint32_t number = block_number(blocks, block);
    assert(number != 0 && block_at(blocks, number) == block);
    Top top = atomic_load(&blocks->top);
    do
        atomic_store(&blocks->below[number - 1], number_of(top));
    while (!atomic_compare_exchange_strong(&blocks->top, &top, top_of(number, next_tag(top))));
}

static void *obtain_block(void *context, size_t size)
{
    Blocks *blocks = context;
    return size <= blocks->size ? blocks_take(blocks) : malloc(size);
}

static void release_to_blocks(void *context, void *block)
{
    Blocks *blocks = context;
    if (block_number(blocks, block))
        blocks_give(blocks, block);
    else
        free(block);
}

Memory blocks_memory(Blocks *blocks)
{
    return (Memory){obtain_block, release_to_blocks, blocks};
}

uint32_t blocks_left(const Blocks *blocks)
{
    uint32_t n = 0;
    for (uint32_t i = number_of(blocks->top); i != 0 && n <= blocks->n_blocks; i = blocks->below[i - 1])
        n++;
    return n;
}

bool blocks_are_sound(const Blocks *blocks)
{
    if (blocks_left(blocks) > blocks->n_blocks)
        return false; /* The stack runs in a circle: a block is on it twice. */
    for (uint32_t i = number_of(blocks->top); i != 0; i = blocks->below[i - 1])
        if (i > blocks->n_blocks)
            return false;
    return true;
}

void blocks_free(Blocks *blocks)
{
    free(blocks->memory);
    free(blocks);
}
