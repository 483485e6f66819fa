/* An allocator with a cache for each thread, of the kind of tcmalloc, ptmalloc3 and nedmalloc.
 *
 * Memory comes in chunks from the system; a chunk is divided into spans of whole pages. Small blocks come in size classes. A
 * thread takes them from its own cache without any lock; an empty cache is filled from the bin of its class, under the bin's
 * lock, and one that is too full pushes some blocks on the bin's list of returned blocks, without a lock. A bin cuts its blocks
 * from spans. A large block is a span of its own; free spans are merged with their neighbours.
 *
 * Where there is a choice, the lowest address is taken, in bins as well as among spans. That keeps memory together, and it
 * makes what is free a matter of which blocks are free, not of the order in which they were released.
 *
 * Threads can be spread over several arenas, each with chunks, spans and bins of its own. A block that is released goes to the
 * cache of the thread that releases it, or, if it is of another arena than that thread's, straight back to its bin. */
#ifndef NBDS_POOL_H
#define NBDS_POOL_H

#include <stdbool.h>
#include <stddef.h>

/* The sizes are small so that little programs come to the ends of everything; each is a power of two. */
#ifndef POOL_PAGE
#define POOL_PAGE 256
#endif
#ifndef POOL_CHUNK_PAGES
#define POOL_CHUNK_PAGES 8
#endif
#ifndef POOL_ARENAS
#define POOL_ARENAS 1
#endif
/* Chunks that the system has. */
#ifndef POOL_CHUNKS
#define POOL_CHUNKS (2 * POOL_ARENAS)
#endif
/* Blocks that are moved between a cache and its bin at a time. */
#ifndef POOL_BATCH
#define POOL_BATCH 2
#endif
/* Blocks of one class, and bytes of all classes, that a cache keeps at most. */
#ifndef POOL_CACHE_BLOCKS
#define POOL_CACHE_BLOCKS 4
#endif
#ifndef POOL_CACHE_BYTES
#define POOL_CACHE_BYTES 512
#endif
/* Spans without a block in use that a bin keeps. */
#ifndef POOL_SPARE_SPANS
#define POOL_SPARE_SPANS 1
#endif

#define POOL_CHUNK_SIZE ((size_t)POOL_PAGE * POOL_CHUNK_PAGES)
#define POOL_ALIGNMENT 16

/* To be called once, before any thread allocates. */
void pool_init(void);

/* Lets the calling thread allocate from this arena, a number below POOL_ARENAS; at first it is 0. */
void pool_use_arena(unsigned arena);

/* ---- blocks ---- */

/* Null if there is no memory; a block of size 0 is one of size 1. */
void *pool_alloc(size_t size);
void *pool_alloc_zeroed(size_t count, size_t size);
/* A block whose address is a multiple of `alignment`, a power of two that is not larger than a chunk. */
void *pool_alloc_aligned(size_t alignment, size_t size);
/* The block with a new size and its content; it may have another address. Null if there is no memory: then the block stays. */
void *pool_resize(void *block, size_t size);
void pool_free(void *block);

/* The bytes of a block that may be used. */
size_t pool_usable(const void *block);

/* ---- memory that is not used ---- */

/* Gives the calling thread's cache back to the bins. A thread that ends does so by itself. */
void pool_leave(void);

/* Gives everything back to the system that nobody uses; returns how many bytes. */
size_t pool_trim(void);

typedef struct {
    size_t n_system_bytes; /* In chunks. */
    size_t n_free_bytes;   /* Of these, in free spans. */
    size_t n_spans;        /* In use, for small or large blocks. */
    size_t n_bin_blocks;
    size_t n_cached_blocks; /* Of the calling thread. */
    unsigned long n_refills;
    unsigned long n_returned; /* Blocks that came back to a bin without its lock, and were collected. */
} PoolStatistics;

/* What there is; each part is looked at under its lock. */
PoolStatistics pool_statistics(void);

/* ---- for quiet times only, when no other thread is in the pool ---- */

typedef enum {
    POOL_SOUND,
    POOL_BAD_SPAN,            /* It leaves its chunk, its pages do not know it, or it is of another arena than its chunk. */
    POOL_FREE_NEIGHBOURS,     /* Two free spans that should be one. */
    POOL_BAD_FREE_LIST,       /* A list of free spans is not sorted, badly linked, or of another length. */
    POOL_FREE_SPAN_LOST,      /* A free span is in no list. */
    POOL_BAD_BIN,             /* A bin lists a span that is not its own or has no free block, or does not list one that has. */
    POOL_BLOCK_TWICE,         /* A block is in two places, or a list of blocks has a cycle. */
    POOL_BLOCK_OF_NO_SPAN,
    POOL_WRONG_COUNT,         /* Blocks that are in no list are not as many as are in use. */
    POOL_RED_ZONE             /* Something was written beyond the end of a block, or after it was released. */
} PoolFault;

typedef struct {
    PoolFault fault;
    size_t n_in_use; /* Blocks, small and large. */
    size_t n_free_pages;
} PoolAudit;

/* All other threads must have left. */
PoolAudit pool_audit(void);
const char *pool_fault_name(PoolFault fault);

#endif
