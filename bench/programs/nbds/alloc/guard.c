/* Red zones: with POOL_GUARD, what is written beyond the end of a block or after its release is noticed.
 *
 * At the end of each block stand the size it was asked for and a stamp. The bytes between the two ends are filled with one
 * pattern while the block is in use, its content with another one while it is not; only the link of a free block is left
 * alone. */
#include "internal.h"
#include <string.h>

#ifdef POOL_GUARD

enum { BEYOND = 0xFD, GONE = 0xDF };
enum { IN_USE = 0x600DB10C, RELEASED = 0x0DEADB1C };

typedef struct {
    uint32_t size;
    uint32_t stamp;
} Guard;

static Guard *guard_of(const void *block, size_t has)
{
    return (Guard *)((char *)block + has - sizeof(Guard));
}

static bool is_filled(const unsigned char *from, const unsigned char *to, unsigned char pattern)
{
    for (; from < to; from++)
        if (*from != pattern)
            return false;
    return true;
}

/* A block that is free from now on. */
void guard_prepare(void *block, size_t has)
{
    Guard *guard = guard_of(block, has);
    guard->stamp = RELEASED;
    guard->size = 0;
    memset((char *)block + sizeof(Block), GONE, has - sizeof(Guard) - sizeof(Block));
}

void guard_begin(void *block, size_t has, size_t size)
{
    Guard *guard = guard_of(block, has);
    guard->size = (uint32_t)size;
    guard->stamp = IN_USE;
    memset((char *)block + size, BEYOND, has - sizeof(Guard) - size);
}

void guard_end(void *block, size_t has)
{
    assert(guard_is_intact(block, has, true));
    guard_prepare(block, has);
}

bool guard_is_intact(const void *block, size_t has, bool is_in_use)
{
    const Guard *guard = guard_of(block, has);
    const unsigned char *bytes = block, *end = bytes + has - sizeof(Guard);
    if (!is_in_use)
        return guard->stamp == RELEASED && is_filled(bytes + sizeof(Block), end, GONE);
    return guard->stamp == IN_USE && guard->size <= has - sizeof(Guard) && is_filled(bytes + guard->size, end, BEYOND);
}

size_t guard_usable(const void *block, size_t has)
{
    return guard_of(block, has)->size;
}

#else

void guard_prepare(void *block, size_t has)
{
    (void)block;
    (void)has;
}

void guard_begin(void *block, size_t has, size_t size)
{
    (void)block;
    (void)has;
    (void)size;
}

void guard_end(void *block, size_t has)
{
    (void)block;
    (void)has;
}

bool guard_is_intact(const void *block, size_t has, bool is_in_use)
{
    (void)block;
    (void)has;
    (void)is_in_use;
    return true;
}

size_t guard_usable(const void *block, size_t has)
{
    (void)block;
    return has;
}

#endif
