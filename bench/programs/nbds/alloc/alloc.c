/* The interface for blocks: small ones from the cache, large ones from the heap. */
#include "internal.h"
#include <string.h>

size_t block_size(const Span *span)
{
    return span->use == SMALL_SPAN ? class_size(span->class) : (size_t)span->n_pages * POOL_PAGE;
}

/* `size` with the red zone, or 0 if that is too much. */
static size_t with_guard(size_t size)
{
    if (size == 0)
        size = 1;
    return size <= POOL_CHUNK_SIZE - GUARD_SIZE ? size + GUARD_SIZE : 0;
}

static bool is_power_of_two(size_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

static void *allocate(size_t alignment, size_t size)
{
    size_t full = with_guard(size);
    if (full == 0)
        return NULL;
    int class = alignment <= POOL_ALIGNMENT ? class_of(full) : class_aligned(alignment, full);
    bool is_small = class < N_CLASSES;
    void *block = is_small ? cache_alloc(class) : large_alloc(alignment, full);
    if (!block)
        return NULL;
    size_t has = is_small ? class_size(class) : large_size(full);
    if (is_small)
        assert(guard_is_intact(block, has, false));
    guard_begin(block, has, size);
    cache_count(1);
    return block;
}

void *pool_alloc(size_t size)
{
    return allocate(POOL_ALIGNMENT, size);
}

void *pool_alloc_aligned(size_t alignment, size_t size)
{
    if (!is_power_of_two(alignment) || alignment > POOL_CHUNK_SIZE)
        return NULL;
    return allocate(alignment, size);
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

void pool_free(void *block)
{
    if (!block)
        return;
    Span *span = span_of(block);
    cache_count(-1);
    guard_end(block, block_size(span));
    if (span->use == LARGE_SPAN)
        large_free(span);
    else
        cache_free(span, block);
}

size_t pool_usable(const void *block)
{
    return guard_usable(block, block_size(span_of(block)));
}

/* ---- other sizes ---- */

/* Whether a block of this class is good enough for `full` bytes: it is not worth while to move what stays within half. */
static bool is_small_enough(const Span *span, size_t full)
{
    size_t has = block_size(span);
    return full <= has && full > has / 2;
}

/* Gives a block another size where it is, if that can be done. */
static bool resize_in_place(void *block, size_t size)
{
    Span *span = span_of(block);
    size_t full = with_guard(size);
    bool is_done = span->use == SMALL_SPAN ? is_small_enough(span, full)
                                           : full > LARGEST_SMALL && large_resize(span, full);
    if (is_done)
        guard_begin(block, block_size(span), size);
    return is_done;
}

void *pool_resize(void *block, size_t size)
{
    if (!block)
        return pool_alloc(size);
    if (with_guard(size) == 0)
        return NULL;
    size_t had = pool_usable(block);
    assert(guard_is_intact(block, block_size(span_of(block)), true));
    if (resize_in_place(block, size))
        return block;
    void *other = pool_alloc(size);
    if (!other)
        return NULL;
    memcpy(other, block, had < size ? had : size);
    pool_free(block);
    return other;
}
