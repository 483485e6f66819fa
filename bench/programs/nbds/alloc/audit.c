/* Whether everything is in its place; see PoolFault.
 *
 * Pages: the spans of each chunk are gone through from its beginning. Blocks: each has a bit for "seen in a list"; what is
 * seen in none is in use. No lock is taken: nobody else is there. */
#include "internal.h"

typedef struct {
    PoolAudit result;
    uint32_t seen[N_PAGES]; /* By span: blocks that were met in a bin, on a list, or in the cache. */
} Audit;

static void note(Audit *audit, bool is_wrong, PoolFault fault)
{
    if (is_wrong && audit->result.fault == POOL_SOUND)
        audit->result.fault = fault;
}

static bool is_sound(const Audit *audit)
{
    return audit->result.fault == POOL_SOUND;
}

/* ---- pages ---- */

static bool is_listed(Span *list, const Span *span)
{
    while (list && list < span)
        list = list->after;
    return list == span;
}

static bool knows_its_pages(const Span *span, unsigned page)
{
    if (span->use == FREE_SPAN)
        return span_of_page[page] == span && span_of_page[page + span->n_pages - 1] == span;
    for (unsigned i = 0; i < span->n_pages; i++)
        if (span_of_page[page + i] != span)
            return false;
    return true;
}

static void audit_span(Audit *audit, unsigned page, bool is_after_free)
{
    const Span *span = &spans[page];
    unsigned n_left = POOL_CHUNK_PAGES - page % POOL_CHUNK_PAGES;
    note(audit, span->use == UNKNOWN || span->n_pages == 0 || span->n_pages > n_left, POOL_BAD_SPAN);
    if (!is_sound(audit))
        return;
    note(audit, !knows_its_pages(span, page) || span->arena != system_owner(page), POOL_BAD_SPAN);
    if (!is_sound(audit))
        return;
    switch (span->use) {
    case FREE_SPAN:
        note(audit, is_after_free, POOL_FREE_NEIGHBOURS);
        note(audit, !is_listed(span->arena->heap.free_spans[span->n_pages], span), POOL_FREE_SPAN_LOST);
        audit->result.n_free_pages += span->n_pages;
        break;
    case SMALL_SPAN:
        note(audit, (span->free_blocks & ~all_blocks(span->class)) != 0, POOL_BAD_BIN);
        note(audit, is_listed(span->arena->bins[span->class].spans, span) != (span->free_blocks != 0), POOL_BAD_BIN);
        audit->seen[page] = span->free_blocks;
        break;
    default:
        note(audit, !guard_is_intact(span_address(span), block_size(span), true), POOL_RED_ZONE);
        audit->result.n_in_use++;
    }
}

static void audit_chunk(Audit *audit, unsigned first)
{
    bool is_after_free = false;
    for (unsigned page = first; is_sound(audit) && page < first + POOL_CHUNK_PAGES; page += spans[page].n_pages) {
        audit_span(audit, page, is_after_free);
        is_after_free = spans[page].use == FREE_SPAN;
    }
}

/* ---- lists of spans ---- */

/* A sorted list cannot have a cycle. */
static void audit_list(Audit *audit, const Span *list, PoolFault fault)
{
    const Span *before = NULL;
    for (; list && is_sound(audit); before = list, list = list->after)
        note(audit, list->before != before || (before && before >= list), fault);
}

static void audit_free_list(Audit *audit, const Arena *arena, unsigned length)
{
    const Span *list = arena->heap.free_spans[length];
    audit_list(audit, list, POOL_BAD_FREE_LIST);
    for (; list && is_sound(audit); list = list->after)
        note(audit, list->use != FREE_SPAN || list->n_pages != length || list->arena != arena, POOL_BAD_FREE_LIST);
}

static void audit_bin(Audit *audit, const Arena *arena, int class)
{
    const Bin *bin = &arena->bins[class];
    unsigned n_spare = 0;
    audit_list(audit, bin->spans, POOL_BAD_BIN);
    for (const Span *span = bin->spans; span && is_sound(audit); span = span->after) {
        note(audit, span->use != SMALL_SPAN || span->class != class || span->arena != arena, POOL_BAD_BIN);
        n_spare += span->free_blocks == all_blocks(class);
    }
    note(audit, n_spare != bin->n_spare, POOL_BAD_BIN);
}

/* ---- blocks ---- */

static void see(Audit *audit, const Arena *arena, int class, const Block *block)
{
    const Span *span = span_of(block);
    bool is_of_span = span && span->use == SMALL_SPAN && span->class == class && span->arena == arena;
    note(audit, !is_of_span, POOL_BLOCK_OF_NO_SPAN);
    if (!is_of_span)
        return;
    uint32_t bit = (uint32_t)1 << block_number(span, block);
    note(audit, (audit->seen[span - spans] & bit) != 0, POOL_BLOCK_TWICE);
    audit->seen[span - spans] |= bit;
}

/* A cycle ends the walk as well, because a block of it is seen twice. */
static void see_all(Audit *audit, const Arena *arena, int class, const Block *block)
{
    for (; block && is_sound(audit); block = block->next)
        see(audit, arena, class, block);
}

static void audit_blocks(Audit *audit, unsigned page)
{
    const Span *span = &spans[page];
    for (unsigned i = 0; i < class_blocks(span->class); i++) {
        bool is_in_use = !(audit->seen[page] >> i & 1);
        const char *block = span_address(span) + i * class_size(span->class);
        note(audit, !guard_is_intact(block, class_size(span->class), is_in_use), POOL_RED_ZONE);
        audit->result.n_in_use += is_in_use;
    }
}

static void audit_arena(Audit *audit, Arena *arena)
{
    for (unsigned length = 1; length <= POOL_CHUNK_PAGES; length++)
        audit_free_list(audit, arena, length);
    for (int class = 0; class < N_CLASSES; class ++) {
        audit_bin(audit, arena, class);
        see_all(audit, arena, class, atomic_load(&arena->bins[class].returned));
        if (arena == cache_arena())
            see_all(audit, arena, class, cache_stack(class)->first);
    }
}

PoolAudit pool_audit(void)
{
    Audit audit = {{POOL_SOUND, 0, 0}, {0}};
    for (unsigned page = 0; page < N_PAGES; page += POOL_CHUNK_PAGES)
        if (system_owner(page))
            audit_chunk(&audit, page);
    for (int arena = 0; arena < POOL_ARENAS; arena++)
        audit_arena(&audit, &arenas[arena]);
    for (unsigned page = 0; page < N_PAGES && is_sound(&audit); page++)
        if (system_owner(page) && span_of_page[page] == &spans[page] && spans[page].use == SMALL_SPAN)
            audit_blocks(&audit, page);
    note(&audit, (long)audit.result.n_in_use != cache_in_use(), POOL_WRONG_COUNT);
    return audit.result;
}

const char *pool_fault_name(PoolFault fault)
{
    static const char *const names[] = {
        [POOL_SOUND] = "sound",
        [POOL_BAD_SPAN] = "a span leaves its chunk, or its pages do not know it",
        [POOL_FREE_NEIGHBOURS] = "two free spans should be one",
        [POOL_BAD_FREE_LIST] = "a list of free spans is broken",
        [POOL_FREE_SPAN_LOST] = "a free span is in no list",
        [POOL_BAD_BIN] = "a bin and its spans disagree",
        [POOL_BLOCK_TWICE] = "a block is in two places",
        [POOL_BLOCK_OF_NO_SPAN] = "a free block belongs to no span",
        [POOL_WRONG_COUNT] = "a block was lost",
        [POOL_RED_ZONE] = "something was written outside of a block",
    };
    return names[fault];
}
