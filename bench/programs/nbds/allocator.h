/* An allocator with a cache for each thread, of the kind of tcmalloc, ptmalloc3 and nedmalloc.
 *
 * Small blocks come in size classes. A thread takes them from its own cache without any lock; an empty cache is filled from
 * the depot of its class, a full one is emptied into it, some blocks at a time, under the depot's lock. A depot that is empty
 * cuts a span of the arena into blocks. Large blocks are cut from the arena's free ranges, first fit, and merged with their
 * neighbours when they are released.
 *
 * A block that is released by another thread than it was allocated by goes to the cache of the one that releases it. */
#ifndef NBDS_ALLOCATOR_H
#define NBDS_ALLOCATOR_H

#include <stdbool.h>
#include <stddef.h>

#ifndef ARENA_SIZE
#define ARENA_SIZE 4096
#endif
/* Blocks that are moved between a cache and its depot at a time. */
#ifndef BATCH
#define BATCH 2
#endif
/* Blocks of one class that a cache keeps at most. */
#ifndef CACHE_LIMIT
#define CACHE_LIMIT 4
#endif

typedef struct {
    size_t n_arena_bytes; /* In free ranges. */
    size_t n_depot_blocks;
    size_t n_cached_blocks; /* Of the calling thread. */
    size_t n_spans;
} Account;

/* To be called once, before any thread allocates. */
void pool_init(void);

void *pool_alloc(size_t size);
void *pool_alloc_zeroed(size_t count, size_t size);
void *pool_resize(void *block, size_t size);
void pool_free(void *block);

/* The bytes that a block really has. */
size_t pool_usable(const void *block);

/* Gives the calling thread's cache back to the depots; to be called before a thread ends. */
void pool_leave(void);

/* What there is; the arena and the depots are looked at under their locks. */
Account pool_account(void);

/* Whether the free ranges are sorted, do not touch each other and lie within the arena. */
bool pool_is_sound(void);

#endif
