/* Caches: each thread has blocks of each class for itself, all of them of its arena.
 *
 * A cache that has too many blocks of one class returns some of them, one that has too many bytes half of everything. What a
 * thread that ends still has goes back to the bins, by the destructor of a key. */
#include "internal.h"

typedef struct {
    Stack stacks[N_CLASSES];
    size_t n_bytes;
    long n_in_use; /* Allocated less released by this thread, since it was last added up. */
    bool is_used;
    unsigned arena; /* All blocks are of this one. */
} Cache;

static __thread Cache cache;
static atomic_long n_in_use_elsewhere;
static pthread_key_t key;

void push(Stack *stack, Block *block)
{
    block->next = stack->first;
    stack->first = block;
    stack->n_blocks++;
}

Block *pop(Stack *stack)
{
    Block *block = stack->first;
    if (block) {
        stack->first = block->next;
        stack->n_blocks--;
    }
    return block;
}

static void leave_at_end(void *unused)
{
    (void)unused;
    pool_leave();
}

void cache_init(void)
{
    pthread_key_create(&key, leave_at_end);
}

/* The destructor is called only in threads that have set the key. */
static void use_cache(void)
{
    if (cache.is_used)
        return;
    cache.is_used = true;
    pthread_setspecific(key, &cache);
}

Arena *cache_arena(void)
{
    return &arenas[cache.arena];
}

const Stack *cache_stack(int class)
{
    return &cache.stacks[class];
}

void cache_count(int change)
{
    use_cache();
    cache.n_in_use += change;
}

long cache_in_use(void)
{
    return n_in_use_elsewhere + cache.n_in_use;
}

void *cache_alloc(int class)
{
    Stack *stack = &cache.stacks[class];
    use_cache();
    if (!stack->first) {
        bin_take(cache_arena(), class, stack, POOL_BATCH);
        cache.n_bytes += stack->n_blocks * class_size(class);
    }
    Block *block = pop(stack);
    if (block)
        cache.n_bytes -= class_size(class);
    return block;
}

static void return_some(int class, unsigned n)
{
    Stack *stack = &cache.stacks[class];
    Block *first = stack->first, *last = NULL;
    for (; n > 0 && stack->first; n--) {
        last = pop(stack);
        cache.n_bytes -= class_size(class);
    }
    if (last)
        bin_return(cache_arena(), class, first, last);
}

static void return_half(void)
{
    for (int class = 0; class < N_CLASSES; class ++)
        return_some(class, (cache.stacks[class].n_blocks + 1) / 2);
}

void cache_free(Span *span, void *block)
{
    int class = span->class;
    if (span->arena != cache_arena()) {
        bin_return(span->arena, class, block, block);
        return;
    }
    use_cache();
    push(&cache.stacks[class], block);
    cache.n_bytes += class_size(class);
    if (cache.stacks[class].n_blocks > POOL_CACHE_BLOCKS)
        return_some(class, POOL_BATCH);
    if (cache.n_bytes > POOL_CACHE_BYTES)
        return_half();
}

void pool_leave(void)
{
    for (int class = 0; class < N_CLASSES; class ++)
        if (cache.stacks[class].first)
            bin_give(cache_arena(), class, &cache.stacks[class]);
    cache.n_bytes = 0;
    if (cache.n_in_use != 0)
        atomic_fetch_add(&n_in_use_elsewhere, cache.n_in_use);
    cache.n_in_use = 0;
    cache.is_used = false; /* Another destructor may allocate yet. */
}

void pool_use_arena(unsigned arena)
{
    assert(arena < POOL_ARENAS);
    pool_leave();
    cache.arena = arena;
}
