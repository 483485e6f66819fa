/* What the files of the allocator share: blocks, spans, and who offers what.
 *
 * Locks: each bin has one, and the heap of each arena has one. Who holds a bin's lock may take that of its arena's heap, never
 * the other way round. The fields of a span that is in use are its bin's or its owner's business, but for `use`, `arena` and
 * `n_pages`, which only the heap changes; those of a free span are the heap's. */
#ifndef NBDS_POOL_INTERNAL_H
#define NBDS_POOL_INTERNAL_H

#include "pool.h"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N_CLASSES 6
#define LARGEST_SMALL ((size_t)128)
#define N_PAGES (POOL_CHUNKS * POOL_CHUNK_PAGES)

/* A free block, in a cache or on its way to a bin, links to the next one where its content was. */
typedef struct Block {
    struct Block *next;
} Block;

typedef struct {
    Block *first;
    unsigned n_blocks;
} Stack;

struct Arena;

typedef enum { UNKNOWN, FREE_SPAN, SMALL_SPAN, LARGE_SPAN } SpanUse;

/* Pages in a row. The span with the number of a page is the one that begins there. */
typedef struct Span {
    SpanUse use;
    unsigned n_pages;
    struct Arena *arena;
    /* Neighbours in a list: of free spans of one length, or of spans of one bin that have free blocks. */
    struct Span *before, *after;
    /* For small blocks only. */
    int class;
    uint32_t free_blocks; /* A bit for each block that is in the bin. */
} Span;

typedef struct {
    pthread_mutex_t lock;
    Span *spans; /* Those that have free blocks, by address. */
    unsigned n_spare; /* Of these, spans without a block in use. */
    _Atomic(Block *) returned; /* Blocks that came back without the lock. */
    unsigned long n_refills, n_returned;
} Bin;

typedef struct {
    pthread_mutex_t lock;
    Span *free_spans[POOL_CHUNK_PAGES + 1]; /* By length, and each list by address. */
} Heap;

typedef struct Arena {
    Heap heap;
    Bin bins[N_CLASSES];
} Arena;

/* arena.c */
extern Arena arenas[POOL_ARENAS];

/* classes.c */
int class_of(size_t size);
size_t class_size(int class);
unsigned class_pages(int class);
unsigned class_blocks(int class);
/* The least class for blocks of this size and alignment; N_CLASSES if there is none. */
int class_aligned(size_t alignment, size_t size);

/* system.c */
/* The first page of a chunk that was not taken, or N_PAGES; each arena has its favourites. */
unsigned system_take_chunk(unsigned arena);
void system_give_chunk(unsigned page);
/* The arena that has taken the chunk of a page; null if none has. */
Arena *system_owner(unsigned page);
char *page_address(unsigned page);
unsigned page_of(const void *address);

/* list.c: lists of spans, sorted by address. */
void list_insert(Span **list, Span *span);
void list_remove(Span **list, Span *span);

/* span.c */
extern Span spans[N_PAGES];
extern Span *span_of_page[N_PAGES];
/* A span that is a multiple of `alignment` pages from the beginning of its chunk; null if there is no memory. */
Span *heap_take(Arena *arena, unsigned n_pages, unsigned alignment, SpanUse use);
void heap_give(Span *span);
/* Changes the length of a span in use without moving it; false if the pages behind are not free. */
bool heap_resize(Span *span, unsigned n_pages);
/* Gives chunks without a span in use back to the system; how many. */
unsigned heap_trim(Arena *arena);
char *span_address(const Span *span);
/* The span that a block in use belongs to. */
Span *span_of(const void *block);

/* bins.c */
/* Moves up to `n` blocks to the stack. */
void bin_take(Arena *arena, int class, Stack *to, unsigned n);
/* Takes blocks back, under the lock. */
void bin_give(Arena *arena, int class, Stack *from);
/* Takes blocks back without the lock, from `first`, each linked to the next one, to `last`. They are in the bin when somebody
   takes its lock next. */
void bin_return(Arena *arena, int class, Block *first, Block *last);
/* Collects what was returned, and gives all spans back that have no block in use. */
void bin_trim(Arena *arena, int class);
uint32_t all_blocks(int class);
unsigned block_number(const Span *span, const void *block);

/* cache.c */
void push(Stack *stack, Block *block);
Block *pop(Stack *stack);
void cache_init(void);
void *cache_alloc(int class);
void cache_free(Span *span, void *block);
Arena *cache_arena(void);
const Stack *cache_stack(int class);
/* Counts blocks in use: large ones, too. */
void cache_count(int change);
/* Blocks that were allocated and not released, by this thread and those that have left. */
long cache_in_use(void);

/* large.c */
/* All bytes of a block that is asked for with this size. */
size_t large_size(size_t size);
void *large_alloc(size_t alignment, size_t size);
void large_free(Span *span);
bool large_resize(Span *span, size_t size);

/* guard.c: red zones; without POOL_GUARD, none of these does anything. */
#ifdef POOL_GUARD
#define GUARD_SIZE ((size_t)8)
#else
#define GUARD_SIZE ((size_t)0)
#endif
void guard_prepare(void *block, size_t has);
void guard_begin(void *block, size_t has, size_t size);
void guard_end(void *block, size_t has);
bool guard_is_intact(const void *block, size_t has, bool is_in_use);
/* The size that a block in use was asked for. */
size_t guard_usable(const void *block, size_t has);

/* alloc.c */
/* All bytes of a block, with its red zone. */
size_t block_size(const Span *span);

#endif
