/* Where nodes come from: the system's allocator, or one that the user brings along.
 *
 * A structure is given a `Memory` by reference; it must live as long as any node that was obtained from it, which is longer
 * than the structure itself: retired nodes go back later. A null reference is the system's allocator and costs nothing. */
#ifndef NBDS_MEMORY_H
#define NBDS_MEMORY_H

#include "common.h"

typedef struct Memory {
    /* Returns null if there is no more. Blocks are aligned for every type. */
    void *(*obtain)(void *context, size_t size);
    void (*release)(void *context, void *block);
    void *context;
} Memory;

/* A block, or null if there is none left. */
static inline void *memory_try_obtain(const Memory *memory, size_t size)
{
    return memory ? memory->obtain(memory->context, size) : malloc(size);
}

/* A block that must be there: the structures have no answer to its lack. */
static inline void *memory_obtain(const Memory *memory, size_t size)
{
    void *block = memory_try_obtain(memory, size);
    if (!block)
        abort();
    return block;
}

static inline void memory_release(const Memory *memory, void *block)
{
    if (memory)
        memory->release(memory->context, block);
    else
        free(block);
}

#endif
