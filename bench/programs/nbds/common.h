/* What all structures of this library use: words that are changed by compare-and-swap, and marked pointers.
 *
 * A link is a pointer kept as a number. Its lowest bit is the mark: the node that holds the link is logically deleted, and
 * the link must not change any more. Nodes are aligned to more than one byte, so the bit is free.
 *
 * All operations are sequentially consistent. */
#ifndef NBDS_COMMON_H
#define NBDS_COMMON_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef atomic_uintptr_t Link;
typedef uint32_t Key;
typedef uintptr_t Word;

#define MARK ((uintptr_t)1)

/* Whether the node that holds this link is deleted. */
static inline bool is_marked(uintptr_t link)
{
    return (link & MARK) != 0;
}

static inline uintptr_t with_mark(uintptr_t link)
{
    return link | MARK;
}

static inline uintptr_t without_mark(uintptr_t link)
{
    return link & ~MARK;
}

/* Replaces `from` by `to`; false if something else is there. */
static inline bool swap_link(Link *link, uintptr_t from, uintptr_t to)
{
    return atomic_compare_exchange_strong(link, &from, to);
}

/* Memory that must be there: the structures have no answer to its lack. */
static inline void *obtain(size_t size)
{
    void *memory = malloc(size);
    if (!memory)
        abort();
    return memory;
}

#endif
