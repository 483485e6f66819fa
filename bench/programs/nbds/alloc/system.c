/* The system below the allocator: a few chunks that are taken and given back as a whole, as by `mmap` and `munmap`.
 *
 * They lie in one array, so that the page of an address is a matter of subtraction. Each arena begins to look at another place,
 * so arenas get chunks independently of each other while there are enough. */
#include "internal.h"

static _Alignas(POOL_PAGE * POOL_CHUNK_PAGES) char reserve[POOL_CHUNKS * POOL_CHUNK_SIZE];
/* The number of the arena that has taken the chunk plus one, or 0. */
static atomic_uint owners[POOL_CHUNKS];

unsigned system_take_chunk(unsigned arena)
{
    unsigned favourite = arena * POOL_CHUNKS / POOL_ARENAS;
    for (unsigned i = 0; i < POOL_CHUNKS; i++) {
        unsigned chunk = (favourite + i) % POOL_CHUNKS, nobody = 0;
        if (atomic_compare_exchange_strong(&owners[chunk], &nobody, arena + 1))
            return chunk * POOL_CHUNK_PAGES;
    }
    return N_PAGES;
}

void system_give_chunk(unsigned page)
{
    assert(page % POOL_CHUNK_PAGES == 0 && owners[page / POOL_CHUNK_PAGES] != 0);
    owners[page / POOL_CHUNK_PAGES] = 0;
}

Arena *system_owner(unsigned page)
{
    unsigned owner = owners[page / POOL_CHUNK_PAGES];
    return owner == 0 ? NULL : &arenas[owner - 1];
}

char *page_address(unsigned page)
{
    return reserve + (size_t)page * POOL_PAGE;
}

unsigned page_of(const void *address)
{
    return (unsigned)((size_t)((const char *)address - reserve) / POOL_PAGE);
}
