/* An allocator with a cache for each thread; see allocator.h. */
#include "allocator.h"
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#define ALIGNMENT 16
#define N_CLASSES 4
#define LARGEST_SMALL (ALIGNMENT << (N_CLASSES - 1))
#define SPAN_BLOCKS 4
#define LARGE N_CLASSES

/* Before every block. */
typedef union {
    struct {
        uint32_t size;  /* Of the block, without this header. */
        uint16_t class; /* Of its size, or LARGE. */
        uint16_t stamp; /* Tells a block in use from one that is free. */
    };
    char room[ALIGNMENT];
} Header;

enum { IN_USE = 0x600D, RELEASED = 0xDEAD };

/* A free block links to the next one where its content was. */
typedef struct Block {
    struct Block *next;
} Block;

typedef struct {
    Block *first;
    unsigned n_blocks;
} Stack;

/* Free bytes of the arena, in order of their addresses. The range itself stands at their beginning. */
typedef struct Range {
    size_t size;
    struct Range *next;
} Range;

typedef struct {
    pthread_mutex_t lock;
    Stack blocks;
    size_t n_spans;
} Depot;

static _Alignas(ALIGNMENT) char arena[ARENA_SIZE];
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER;
static Range *free_ranges;
static Depot depots[N_CLASSES];
static __thread Stack cache[N_CLASSES];

/* ---- stacks of blocks ---- */

static void push(Stack *stack, Block *block)
{
    block->next = stack->first;
    stack->first = block;
    stack->n_blocks++;
}

static Block *pop(Stack *stack)
{
    Block *block = stack->first;
    if (block) {
        stack->first = block->next;
        stack->n_blocks--;
    }
    return block;
}

static void move(Stack *from, Stack *to, unsigned n)
{
    while (n-- > 0 && from->first)
        push(to, pop(from));
}

/* ---- headers ---- */

static Header *header_of(const void *block)
{
    return (Header *)block - 1;
}

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static int class_of(size_t size)
{
    int class = 0;
    while (class < N_CLASSES && (size_t)ALIGNMENT << class < size)
        class++;
    return class;
}

static size_t class_size(int class)
{
    return (size_t)ALIGNMENT << class;
}

/* ---- the arena ---- */

void pool_init(void)
{
    free_ranges = (Range *)arena;
    free_ranges->size = ARENA_SIZE;
    free_ranges->next = NULL;
    for (int class = 0; class < N_CLASSES; class ++) {
        pthread_mutex_init(&depots[class].lock, NULL);
        depots[class].blocks = (Stack){NULL, 0};
        depots[class].n_spans = 0;
    }
}

/* Cuts bytes from the first range that is large enough; the lock is held. */
static void *cut(size_t size)
{
    for (Range **link = &free_ranges; *link; link = &(*link)->next) {
        Range *range = *link;
        if (range->size < size)
            continue;
        if (range->size - size < sizeof(Range)) {
            *link = range->next;
        } else {
            Range *rest = (Range *)((char *)range + size);
            rest->size = range->size - size;
            rest->next = range->next;
            *link = rest;
        }
        return range;
    }
    return NULL;
}

static void *cut_locked(size_t size)
{
    pthread_mutex_lock(&arena_lock);
    void *bytes = cut(size);
    pthread_mutex_unlock(&arena_lock);
    return bytes;
}

/* Gives bytes back and merges them with their neighbours; the lock is held. */
static void give(void *bytes, size_t size)
{
    Range *range = bytes, *before = NULL, *after = free_ranges;
    while (after && after < range) {
        before = after;
        after = after->next;
    }
    range->size = size;
    range->next = after;
    if (after && (char *)range + range->size == (char *)after) {
        range->size += after->size;
        range->next = after->next;
    }
    if (!before)
        free_ranges = range;
    else if ((char *)before + before->size == (char *)range) {
        before->size += range->size;
        before->next = range->next;
    } else
        before->next = range;
}

/* ---- large blocks ---- */

static void *alloc_large(size_t size)
{
    size = rounded(size);
    if (size > UINT32_MAX)
        return NULL;
    Header *header = cut_locked(sizeof *header + size);
    if (!header)
        return NULL;
    header->size = (uint32_t)size;
    header->class = LARGE;
    header->stamp = IN_USE;
    return header + 1;
}

static void free_large(Header *header)
{
    size_t size = sizeof *header + header->size;
    header->stamp = RELEASED;
    pthread_mutex_lock(&arena_lock);
    give(header, size);
    pthread_mutex_unlock(&arena_lock);
}

/* ---- small blocks ---- */

/* Cuts a span into blocks; the depot's lock is held. */
static bool add_span(Depot *depot, int class)
{
    size_t step = sizeof(Header) + class_size(class);
    char *span = cut_locked(step * SPAN_BLOCKS);
    if (!span)
        return false;
    for (int i = SPAN_BLOCKS - 1; i >= 0; i--) {
        Header *header = (Header *)(span + (size_t)i * step);
        header->size = (uint32_t)class_size(class);
        header->class = (uint16_t)class;
        header->stamp = RELEASED;
        push(&depot->blocks, (Block *)(header + 1));
    }
    depot->n_spans++;
    return true;
}

static void refill(int class)
{
    Depot *depot = &depots[class];
    pthread_mutex_lock(&depot->lock);
    if (depot->blocks.first || add_span(depot, class))
        move(&depot->blocks, &cache[class], BATCH);
    pthread_mutex_unlock(&depot->lock);
}

static void drain(int class, unsigned n)
{
    Depot *depot = &depots[class];
#ifndef DRAIN_WITHOUT_LOCK
    pthread_mutex_lock(&depot->lock);
#endif
    move(&cache[class], &depot->blocks, n);
#ifndef DRAIN_WITHOUT_LOCK
    pthread_mutex_unlock(&depot->lock);
#endif
}

static void *alloc_small(int class)
{
    if (!cache[class].first)
        refill(class);
    Block *block = pop(&cache[class]);
    if (!block)
        return NULL;
    Header *header = header_of(block);
    assert(header->stamp == RELEASED && header->class == class);
    header->stamp = IN_USE;
    return block;
}

static void free_small(Header *header)
{
    int class = header->class;
    header->stamp = RELEASED;
    push(&cache[class], (Block *)(header + 1));
    if (cache[class].n_blocks > CACHE_LIMIT)
        drain(class, BATCH);
}

/* ---- the interface ---- */

void *pool_alloc(size_t size)
{
    if (size == 0)
        size = 1;
    return size <= LARGEST_SMALL ? alloc_small(class_of(size)) : alloc_large(size);
}

void *pool_alloc_zeroed(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *block = pool_alloc(count * size);
    if (block)
        memset(block, 0, count * size);
    return block;
}

size_t pool_usable(const void *block)
{
    return header_of(block)->size;
}

void pool_free(void *block)
{
    if (!block)
        return;
    Header *header = header_of(block);
    assert(header->stamp == IN_USE);
    if (header->class == LARGE)
        free_large(header);
    else
        free_small(header);
}

void *pool_resize(void *block, size_t size)
{
    if (!block)
        return pool_alloc(size);
    size_t has = pool_usable(block);
    if (size <= has)
        return block;
    void *larger = pool_alloc(size);
    if (larger) {
        memcpy(larger, block, has);
        pool_free(block);
    }
    return larger;
}

void pool_leave(void)
{
    for (int class = 0; class < N_CLASSES; class ++)
        if (cache[class].first)
            drain(class, cache[class].n_blocks);
}

Account pool_account(void)
{
    Account account = {0, 0, 0, 0};
    pthread_mutex_lock(&arena_lock);
    for (Range *range = free_ranges; range; range = range->next)
        account.n_arena_bytes += range->size;
    pthread_mutex_unlock(&arena_lock);
    for (int class = 0; class < N_CLASSES; class ++) {
        pthread_mutex_lock(&depots[class].lock);
        unsigned n = 0;
        for (Block *block = depots[class].blocks.first; block; block = block->next)
            n++;
        assert(n == depots[class].blocks.n_blocks);
        account.n_depot_blocks += n;
        account.n_spans += depots[class].n_spans;
        pthread_mutex_unlock(&depots[class].lock);
        account.n_cached_blocks += cache[class].n_blocks;
    }
    return account;
}

bool pool_is_sound(void)
{
    bool is_sound = true;
    pthread_mutex_lock(&arena_lock);
    for (Range *range = free_ranges; range; range = range->next) {
        char *from = (char *)range, *to = from + range->size;
        is_sound &= from >= arena && to <= arena + ARENA_SIZE;
        is_sound &= !range->next || to < (char *)range->next;
    }
    pthread_mutex_unlock(&arena_lock);
    return is_sound;
}
