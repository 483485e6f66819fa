/* What is done about memory that nobody uses, and numbers about it. */
#include "internal.h"

size_t pool_trim(void)
{
    size_t n_chunks = 0;
    pool_leave();
    for (int arena = 0; arena < POOL_ARENAS; arena++) {
        for (int class = 0; class < N_CLASSES; class ++)
            bin_trim(&arenas[arena], class);
        n_chunks += heap_trim(&arenas[arena]);
    }
    return n_chunks * POOL_CHUNK_SIZE;
}

static unsigned n_bits(uint32_t bits)
{
    unsigned n = 0;
    for (; bits; bits &= bits - 1)
        n++;
    return n;
}

static void count_bin(PoolStatistics *statistics, Bin *bin)
{
    pthread_mutex_lock(&bin->lock);
    for (Span *span = bin->spans; span; span = span->after)
        statistics->n_bin_blocks += n_bits(span->free_blocks);
    statistics->n_refills += bin->n_refills;
    statistics->n_returned += bin->n_returned;
    pthread_mutex_unlock(&bin->lock);
}

static void count_span(PoolStatistics *statistics, const Span *span)
{
    size_t n_bytes = (size_t)span->n_pages * POOL_PAGE;
    statistics->n_system_bytes += n_bytes;
    if (span->use == FREE_SPAN)
        statistics->n_free_bytes += n_bytes;
    else
        statistics->n_spans++;
}

/* While the lock is held, no chunk becomes one of this arena, and none that is one goes away. */
static void count_heap(PoolStatistics *statistics, Arena *arena)
{
    pthread_mutex_lock(&arena->heap.lock);
    for (unsigned page = 0; page < N_PAGES;) {
        const Span *span = &spans[page];
        bool is_ours = system_owner(page) == arena;
        if (is_ours)
            count_span(statistics, span);
        page += is_ours ? span->n_pages : POOL_CHUNK_PAGES;
    }
    pthread_mutex_unlock(&arena->heap.lock);
}

PoolStatistics pool_statistics(void)
{
    PoolStatistics statistics = {0, 0, 0, 0, 0, 0, 0};
    for (int arena = 0; arena < POOL_ARENAS; arena++) {
        count_heap(&statistics, &arenas[arena]);
        for (int class = 0; class < N_CLASSES; class ++)
            count_bin(&statistics, &arenas[arena].bins[class]);
    }
    for (int class = 0; class < N_CLASSES; class ++)
        statistics.n_cached_blocks += cache_stack(class)->n_blocks;
    return statistics;
}
