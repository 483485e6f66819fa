/* What the compiler's code for C++ calls: new and delete, static initialisation, pure virtual functions.
 * Exceptions are in exceptions.c, type information in types.c, the exceptions of the library in stdexcept.c.
 *
 * The mangled names differ with the width of size_t.
 */
#include "runtime.h"

#include <stdlib.h>

#if SIZE_MAX == UINT64_MAX
#define NEW _Znwm
#define NEW_ARRAY _Znam
#define DELETE_SIZED _ZdlPvm
#define DELETE_ARRAY_SIZED _ZdaPvm
#else
#define NEW _Znwj
#define NEW_ARRAY _Znaj
#define DELETE_SIZED _ZdlPvj
#define DELETE_ARRAY_SIZED _ZdaPvj
#endif

/* The engine knows by the calling function that a block is from `new` and by which `delete` it is released. */
#define ALLOCATE                                                                                                        \
    void *p = malloc(size);                                                                                            \
    if (!p)                                                                                                            \
        __selvedge_unsupported("operator new out of memory");                                                          \
    return p

WEAK void *NEW(size_t size) { ALLOCATE; }
WEAK void *NEW_ARRAY(size_t size) { ALLOCATE; }
WEAK void _ZdlPv(void *p) { free(p); }
WEAK void _ZdaPv(void *p) { free(p); }

WEAK void DELETE_SIZED(void *p, size_t size)
{
    (void)size;
    free(p);
}

WEAK void DELETE_ARRAY_SIZED(void *p, size_t size)
{
    (void)size;
    free(p);
}

/* The first byte of a guard says whether the object is initialised. */
WEAK int __cxa_guard_acquire(uint64_t *guard) { return *(char *)guard == 0; }
WEAK void __cxa_guard_release(uint64_t *guard) { *(char *)guard = 1; }
WEAK void __cxa_guard_abort(uint64_t *guard) { (void)guard; }

WEAK __attribute__((noreturn)) void __cxa_pure_virtual(void) { abort(); }
WEAK __attribute__((noreturn)) void __cxa_deleted_virtual(void) { abort(); }

WEAK void *__dso_handle;
