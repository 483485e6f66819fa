/* Size classes: small blocks come in a few sizes only, so that each can be used again for whatever falls into its class. */
#include "internal.h"

/* Two steps for each doubling from 32 on: at most a third of a block is wasted. */
static const uint16_t class_sizes[N_CLASSES] = {16, 32, 48, 64, 96, 128};

int class_of(size_t size)
{
    int class = 0;
    while (class < N_CLASSES && class_sizes[class] < size)
        class++;
    return class;
}

size_t class_size(int class)
{
    return class_sizes[class];
}

/* So many that at least four blocks fit. */
unsigned class_pages(int class)
{
    return (unsigned)((class_sizes[class] * 4 + POOL_PAGE - 1) / POOL_PAGE);
}

/* A span has a bit for each, so there are no more than bits. */
unsigned class_blocks(int class)
{
    unsigned n = class_pages(class) * POOL_PAGE / class_sizes[class];
    return n < 32 ? n : 32;
}

/* Spans begin at pages, so a block is aligned as its size is, up to a page. */
int class_aligned(size_t alignment, size_t size)
{
    if (alignment > POOL_PAGE)
        return N_CLASSES;
    int class = class_of(size);
    while (class < N_CLASSES && class_sizes[class] % alignment != 0)
        class++;
    return class;
}
