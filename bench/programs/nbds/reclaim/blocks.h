/* A pool of blocks of one size, which are used again at once: the fastest way to get a node, and the strictest test of
 * reclamation, because a block that is released too early is soon somebody else's.
 *
 * The free blocks are a stack (Treiber 1986). Its top is a number and a tag in one word; the tag counts the changes, so that a
 * compare-and-swap cannot succeed on a top that has been away meanwhile (the ABA problem; IBM System/370). The links are
 * numbers as well, outside of the blocks: a thread that has lost a race may read the link of a block that is in use. */
#ifndef NBDS_BLOCKS_H
#define NBDS_BLOCKS_H

#include "../memory.h"

typedef struct Blocks Blocks;

/* A pool of `n_blocks` blocks of `size` bytes each. */
Blocks *blocks_new(uint32_t n_blocks, size_t size);

/* A block, or null if there is none left. */
void *blocks_take(Blocks *blocks);

/* Gives a block of this pool back. */
void blocks_give(Blocks *blocks, void *block);

/* The pool as a source of nodes; it must live as long as the pool. Blocks that are too large for the pool come from the
 * system. */
Memory blocks_memory(Blocks *blocks);

/* For quiet times only. */
uint32_t blocks_left(const Blocks *blocks);
/* Whether every block that is free is on the stack once. */
bool blocks_are_sound(const Blocks *blocks);
void blocks_free(Blocks *blocks);

#endif
