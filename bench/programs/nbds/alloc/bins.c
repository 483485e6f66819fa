/* Bins: for each class, the blocks that no cache has.
 *
 * A span keeps a bit for each of its blocks that is in the bin, so nothing is written into blocks that wait there, and taking
 * the lowest one is cheap. Spans that have free blocks are in the bin's list; one that comes to have no block in use goes back
 * to the heap, but for POOL_SPARE_SPANS of them.
 *
 * Blocks also come back without the lock: pushed on a list by compare-and-swap (Treiber, 1986), of which only the whole is
 * ever taken, so that no block can be there again between a look and a swap. Who takes the lock next collects them. */
#include "internal.h"

uint32_t all_blocks(int class)
{
    unsigned n = class_blocks(class);
    return n == 32 ? UINT32_MAX : ((uint32_t)1 << n) - 1;
}

unsigned block_number(const Span *span, const void *block)
{
    return (unsigned)((size_t)((const char *)block - span_address(span)) / class_size(span->class));
}

/* ---- the lock is held ---- */

/* Adds a span that nothing is in use of. */
static Span *add_span(Arena *arena, int class)
{
    Bin *bin = &arena->bins[class];
    Span *span = heap_take(arena, class_pages(class), 1, SMALL_SPAN);
    if (!span)
        return NULL;
    span->class = class;
    span->free_blocks = all_blocks(class);
    for (unsigned i = 0; i < class_blocks(class); i++)
        guard_prepare(span_address(span) + i * class_size(class), class_size(class));
    list_insert(&bin->spans, span);
    bin->n_spare++;
    return span;
}

static void drop_span(Bin *bin, Span *span)
{
    list_remove(&bin->spans, span);
    bin->n_spare--;
    heap_give(span);
}

static Block *take_lowest(Bin *bin, Span *span)
{
    unsigned number = 0;
    while (!(span->free_blocks >> number & 1))
        number++;
    if (span->free_blocks == all_blocks(span->class))
        bin->n_spare--;
    span->free_blocks &= ~((uint32_t)1 << number);
    if (span->free_blocks == 0)
        list_remove(&bin->spans, span);
    return (Block *)(span_address(span) + number * class_size(span->class));
}

static void put_back(Bin *bin, Block *block)
{
    Span *span = span_of(block);
    uint32_t bit = (uint32_t)1 << block_number(span, block);
    assert(!(span->free_blocks & bit));
    if (span->free_blocks == 0)
        list_insert(&bin->spans, span);
    span->free_blocks |= bit;
    if (span->free_blocks == all_blocks(span->class) && ++bin->n_spare > POOL_SPARE_SPANS)
        drop_span(bin, span);
}

static void collect(Bin *bin)
{
    if (!atomic_load(&bin->returned))
        return;
    for (Block *block = atomic_exchange(&bin->returned, NULL), *next; block; block = next) {
        next = block->next;
        put_back(bin, block);
        bin->n_returned++;
    }
}

/* ---- with the lock ---- */

/* The lowest block is pushed last, so that it is taken first. */
void bin_take(Arena *arena, int class, Stack *to, unsigned n)
{
    Block *taken[POOL_BATCH];
    unsigned n_taken = 0;
    Bin *bin = &arena->bins[class];
    pthread_mutex_lock(&bin->lock);
    collect(bin);
    while (n_taken < n && n_taken < POOL_BATCH && (bin->spans || add_span(arena, class)))
        taken[n_taken++] = take_lowest(bin, bin->spans);
    bin->n_refills++;
    pthread_mutex_unlock(&bin->lock);
    while (n_taken > 0)
        push(to, taken[--n_taken]);
}

void bin_give(Arena *arena, int class, Stack *from)
{
    Bin *bin = &arena->bins[class];
#ifndef GIVE_WITHOUT_LOCK
    pthread_mutex_lock(&bin->lock);
#endif
    for (Block *block; (block = pop(from));)
        put_back(bin, block);
#ifndef GIVE_WITHOUT_LOCK
    pthread_mutex_unlock(&bin->lock);
#endif
}

void bin_trim(Arena *arena, int class)
{
    Bin *bin = &arena->bins[class];
    pthread_mutex_lock(&bin->lock);
    collect(bin);
    for (Span *span = bin->spans, *after; span; span = after) {
        after = span->after;
        if (span->free_blocks == all_blocks(class))
            drop_span(bin, span);
    }
    pthread_mutex_unlock(&bin->lock);
}

/* ---- without it ---- */

void bin_return(Arena *arena, int class, Block *first, Block *last)
{
    Bin *bin = &arena->bins[class];
    Block *top = atomic_load(&bin->returned);
    do
        last->next = top;
    while (!atomic_compare_exchange_strong(&bin->returned, &top, first));
}
