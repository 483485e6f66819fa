/* The heap of an arena: pages in a row are cut from larger free spans, and merged with free neighbours when they come back.
 *
 * Best fit, and of those the lowest address. Chunks are not merged with each other, so that each can go back to the system.
 *
 * Invariant, under the lock: the spans of a taken chunk cover it without gaps; no two neighbours are free; a free span is in
 * the list of its length; its first and its last page know it, and all pages of a span in use. A span that does not exist,
 * because its page is in the middle of another one, is UNKNOWN. */
#include "internal.h"

Span spans[N_PAGES];
Span *span_of_page[N_PAGES];

static unsigned first_page(const Span *span)
{
    return (unsigned)(span - spans);
}

char *span_address(const Span *span)
{
    return page_address(first_page(span));
}

Span *span_of(const void *block)
{
    return span_of_page[page_of(block)];
}

/* ---- pages; the lock is held ---- */

static void make_free(Arena *arena, unsigned page, unsigned n_pages)
{
    Span *span = &spans[page];
    span->use = FREE_SPAN;
    span->arena = arena;
    span->n_pages = n_pages;
    span_of_page[page] = span_of_page[page + n_pages - 1] = span;
    list_insert(&arena->heap.free_spans[n_pages], span);
}

/* Takes a span out of the free ones; it has no use yet. */
static void unfree(Span *span)
{
    list_remove(&span->arena->heap.free_spans[span->n_pages], span);
    span->use = UNKNOWN;
}

/* Makes pages free that are in no span, with the neighbours that are. */
static void release(Arena *arena, unsigned page, unsigned n_pages)
{
    if (page % POOL_CHUNK_PAGES != 0) {
        Span *before = span_of_page[page - 1];
        if (before->use == FREE_SPAN) {
            unfree(before);
            page -= before->n_pages;
            n_pages += before->n_pages;
        }
    }
    unsigned behind = page + n_pages;
    if (behind % POOL_CHUNK_PAGES != 0 && spans[behind].use == FREE_SPAN) {
        n_pages += spans[behind].n_pages;
        unfree(&spans[behind]);
    }
    make_free(arena, page, n_pages);
}

/* How many pages of a free span must be left in front so that what follows is aligned. */
static unsigned lead(const Span *span, unsigned alignment)
{
    return (alignment - first_page(span) % POOL_CHUNK_PAGES % alignment) % alignment;
}

static Span *best_fit(const Heap *heap, unsigned n_pages, unsigned alignment)
{
    for (unsigned length = n_pages; length <= POOL_CHUNK_PAGES; length++)
        for (Span *span = heap->free_spans[length]; span; span = span->after)
            if (lead(span, alignment) + n_pages <= length)
                return span;
    return NULL;
}

static void occupy(Arena *arena, Span *span, unsigned n_pages, SpanUse use)
{
    span->arena = arena;
    span->use = use;
    span->n_pages = n_pages;
    span->before = span->after = NULL;
    for (unsigned i = 0; i < n_pages; i++)
        span_of_page[first_page(span) + i] = span;
}

static Span *take(Arena *arena, unsigned n_pages, unsigned alignment, SpanUse use)
{
    Span *span = best_fit(&arena->heap, n_pages, alignment);
    if (!span) {
        unsigned page = system_take_chunk((unsigned)(arena - arenas));
        if (page == N_PAGES)
            return NULL;
        make_free(arena, page, POOL_CHUNK_PAGES);
        span = &spans[page];
    }
    unsigned page = first_page(span), skipped = lead(span, alignment);
    unsigned n_behind = span->n_pages - skipped - n_pages;
    unfree(span);
    if (skipped > 0)
        make_free(arena, page, skipped);
    if (n_behind > 0)
        make_free(arena, page + skipped + n_pages, n_behind);
    occupy(arena, &spans[page + skipped], n_pages, use);
    return &spans[page + skipped];
}

static bool resize(Span *span, unsigned n_pages)
{
    unsigned page = first_page(span), behind = page + span->n_pages;
    if (n_pages < span->n_pages) {
        unsigned n_left = span->n_pages - n_pages;
        span->n_pages = n_pages;
        release(span->arena, page + n_pages, n_left);
        return true;
    }
    unsigned n_more = n_pages - span->n_pages;
    if (n_more == 0)
        return true;
    if (behind % POOL_CHUNK_PAGES == 0 || spans[behind].use != FREE_SPAN || spans[behind].n_pages < n_more)
        return false;
    unsigned n_left = spans[behind].n_pages - n_more;
    unfree(&spans[behind]);
    if (n_left > 0)
        make_free(span->arena, behind + n_more, n_left);
    occupy(span->arena, span, n_pages, span->use);
    return true;
}

/* ---- with the lock ---- */

Span *heap_take(Arena *arena, unsigned n_pages, unsigned alignment, SpanUse use)
{
    if (n_pages > POOL_CHUNK_PAGES || alignment > POOL_CHUNK_PAGES)
        return NULL;
    pthread_mutex_lock(&arena->heap.lock);
    Span *span = take(arena, n_pages, alignment, use);
    pthread_mutex_unlock(&arena->heap.lock);
    return span;
}

void heap_give(Span *span)
{
    Arena *arena = span->arena;
    pthread_mutex_lock(&arena->heap.lock);
    span->use = UNKNOWN;
    release(arena, first_page(span), span->n_pages);
    pthread_mutex_unlock(&arena->heap.lock);
}

bool heap_resize(Span *span, unsigned n_pages)
{
    Heap *heap = &span->arena->heap;
#ifdef RESIZE_WITHOUT_LOCK
    (void)heap;
    return resize(span, n_pages);
#else
    pthread_mutex_lock(&heap->lock);
    bool is_done = resize(span, n_pages);
    pthread_mutex_unlock(&heap->lock);
    return is_done;
#endif
}

unsigned heap_trim(Arena *arena)
{
    Heap *heap = &arena->heap;
    unsigned n_chunks = 0;
    pthread_mutex_lock(&heap->lock);
    while (heap->free_spans[POOL_CHUNK_PAGES]) {
        Span *span = heap->free_spans[POOL_CHUNK_PAGES];
        unfree(span);
        system_give_chunk(first_page(span));
        n_chunks++;
    }
    pthread_mutex_unlock(&heap->lock);
    return n_chunks;
}
