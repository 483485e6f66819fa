/* Large blocks: a span for each. */
#include "internal.h"

static unsigned pages_for(size_t size)
{
    return (unsigned)((size + POOL_PAGE - 1) / POOL_PAGE);
}

size_t large_size(size_t size)
{
    return (size_t)pages_for(size) * POOL_PAGE;
}

void *large_alloc(size_t alignment, size_t size)
{
    if (size > POOL_CHUNK_SIZE)
        return NULL;
    unsigned page_alignment = alignment > POOL_PAGE ? (unsigned)(alignment / POOL_PAGE) : 1;
    Span *span = heap_take(cache_arena(), pages_for(size), page_alignment, LARGE_SPAN);
    return span ? span_address(span) : NULL;
}

void large_free(Span *span)
{
    heap_give(span);
}

/* Whether the block could get another size where it is. */
bool large_resize(Span *span, size_t size)
{
    return size <= POOL_CHUNK_SIZE && heap_resize(span, pages_for(size));
}
