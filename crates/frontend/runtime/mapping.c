/* Memory mappings: anonymous ones, to read and write, wherever the system puts them.
 *
 * Files, fixed places and protected pages are not modelled.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096

/* More than any process on x86 can have. */
#define TOO_MUCH (sizeof(size_t) == 8 ? (size_t)(1ull << 47) : (size_t)1 << 31)

/* Provided by the engine. */
void *__selvedge_map(size_t size);
void __selvedge_unmap(void *start, size_t size);

static void *refused(int error)
{
    errno = error;
    return MAP_FAILED;
}

/* Arguments are looked at in the order in which Linux does. */
static void *map(size_t size, int protection, int flags, int file, long long offset)
{
    if (offset % PAGE != 0)
        return refused(EINVAL);
    if (!(flags & MAP_ANONYMOUS) && file < 0)
        return refused(EBADF);
    if (size == 0)
        return refused(EINVAL);
    if (size >= TOO_MUCH)
        return refused(ENOMEM);
    if (!(flags & (MAP_SHARED | MAP_PRIVATE)))
        return refused(EINVAL);
    if (!(flags & MAP_ANONYMOUS))
        __selvedge_unsupported("mmap of a file");
    if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE | MAP_GROWSDOWN))
        __selvedge_unsupported("mmap at a fixed place");
    if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
        __selvedge_unsupported("mmap of memory that cannot be read and written");
    return __selvedge_may_fail("memory", 1) ? refused(ENOMEM) : __selvedge_map(size);
}

WEAK void *mmap(void *hint, size_t size, int protection, int flags, int file, off_t offset)
{
    (void)hint;
    return map(size, protection, flags, file, offset);
}

WEAK void *mmap64(void *hint, size_t size, int protection, int flags, int file, off64_t offset)
{
    (void)hint;
    return map(size, protection, flags, file, offset);
}

WEAK int munmap(void *start, size_t size)
{
    if (size == 0 || (uintptr_t)start % PAGE != 0) {
        errno = EINVAL;
        return -1;
    }
    __selvedge_unmap(start, size);
    return 0;
}

WEAK int mprotect(void *start, size_t size, int protection)
{
    if ((uintptr_t)start % PAGE != 0 || (protection & ~(PROT_READ | PROT_WRITE | PROT_EXEC))) {
        errno = EINVAL;
        return -1;
    }
    if (size == 0)
        return 0;
    if ((protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE))
        __selvedge_unsupported("mprotect");
    return 0;
}

WEAK int madvise(void *start, size_t size, int advice)
{
    (void)size;
    /* MADV_COLLAPSE is the last one that Linux has had in a row. */
    if ((uintptr_t)start % PAGE != 0 || advice < 0 || advice > 101) {
        errno = EINVAL;
        return -1;
    }
    switch (advice) {
    case MADV_NORMAL:
    case MADV_RANDOM:
    case MADV_SEQUENTIAL:
    case MADV_WILLNEED:
    case MADV_HUGEPAGE:
    case MADV_NOHUGEPAGE:
        return 0;
    default:
        __selvedge_unsupported("this advice of madvise");
    }
}

/* A block is moved by copying it; where it may not be moved there is no room. */
WEAK void *mremap(void *start, size_t size, size_t wanted, int flags, ...)
{
    if (wanted == 0 || (uintptr_t)start % PAGE != 0 || (flags & ~MREMAP_MAYMOVE)) {
        if (flags & ~MREMAP_MAYMOVE)
            __selvedge_unsupported("mremap to a fixed place");
        errno = EINVAL;
        return MAP_FAILED;
    }
    size_t pages = (size + PAGE - 1) / PAGE, wanted_pages = (wanted + PAGE - 1) / PAGE;
    if (wanted_pages == pages)
        return start;
    if (!(flags & MREMAP_MAYMOVE)) {
        if (wanted_pages < pages)
            __selvedge_unsupported("mremap of a block to a part of it");
        __selvedge_assumed("memory.grows-elsewhere");
        errno = ENOMEM;
        return MAP_FAILED;
    }
    if (__selvedge_may_fail("memory", 1))
        return refused(ENOMEM);
    void *moved = __selvedge_map(wanted);
    memcpy(moved, start, (pages < wanted_pages ? pages : wanted_pages) * PAGE);
    __selvedge_unmap(start, pages * PAGE);
    return moved;
}
