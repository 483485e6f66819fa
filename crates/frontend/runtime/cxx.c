/* What the compiler's code for C++ calls: new and delete, static initialisation, pure virtual functions.
 * Exceptions are in exceptions.c, type information in types.c, the exceptions of the library in stdexcept.c.
 *
 * The mangled names differ with the width of size_t.
 */
#include "runtime.h"
#include "types.h"

#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>

#if SIZE_MAX == UINT64_MAX
#define NEW_ARRAY _Znam
#define SIZED(name) name##m
#else
#define NEW_ARRAY _Znaj
#define SIZED(name) name##j
#endif
#define APPEND_(a, b) a##b
#define APPEND(a, b) APPEND_(a, b)

/* The engine knows by the calling function that a block is from `new` and by which `delete` it is released. */
#define ALLOCATE(call)                                                                                                 \
    void *p = call;                                                                                                    \
    if (!p)                                                                                                            \
        __selvedge_unsupported("operator new out of memory");                                                          \
    return p

/* Plain, with an alignment, and giving a null pointer instead of an exception. */
#define OPERATOR_NEW(name)                                                                                             \
    WEAK void *name(size_t size) { ALLOCATE(malloc(size)); }                                                           \
    WEAK void *APPEND(name, St11align_val_t)(size_t size, size_t alignment) { ALLOCATE(memalign(alignment, size)); }   \
    WEAK void *APPEND(name, RKSt9nothrow_t)(size_t size, const void *tag)                                              \
    {                                                                                                                  \
        (void)tag;                                                                                                     \
        return malloc(size);                                                                                           \
    }

#define OPERATOR_DELETE(name)                                                                                          \
    WEAK void name(void *p) { free(p); }                                                                               \
    WEAK void SIZED(name)(void *p, size_t size)                                                                        \
    {                                                                                                                  \
        (void)size;                                                                                                    \
        free(p);                                                                                                       \
    }                                                                                                                  \
    WEAK void APPEND(name, St11align_val_t)(void *p, size_t alignment)                                                 \
    {                                                                                                                  \
        (void)alignment;                                                                                               \
        free(p);                                                                                                       \
    }                                                                                                                  \
    WEAK void APPEND(SIZED(name), St11align_val_t)(void *p, size_t size, size_t alignment)                             \
    {                                                                                                                  \
        (void)size, (void)alignment;                                                                                   \
        free(p);                                                                                                       \
    }                                                                                                                  \
    WEAK void name##RKSt9nothrow_t(void *p, const void *tag)                                                           \
    {                                                                                                                  \
        (void)tag;                                                                                                     \
        free(p);                                                                                                       \
    }

OPERATOR_NEW(NEW)
OPERATOR_NEW(NEW_ARRAY)
OPERATOR_DELETE(_ZdlPv)
OPERATOR_DELETE(_ZdaPv)

WEAK const char _ZSt7nothrow;

/* --- static locals ---
 *
 * The first byte of a guard says whether the object is initialised; the compiler's code looks at it first. The second
 * half is a lock, held by the thread that initialises, so that others wait; the engine reports a thread that comes to
 * its own object again as a deadlock, which it is natively. */

struct guard {
    char is_done;
    pthread_spinlock_t lock;
};
_Static_assert(offsetof(struct guard, lock) == 4 && sizeof(struct guard) == 8, "the layout of a guard");

WEAK int __cxa_guard_acquire(struct guard *guard)
{
    pthread_spin_lock(&guard->lock);
    if (!__atomic_load_n(&guard->is_done, __ATOMIC_ACQUIRE))
        return 1;
    pthread_spin_unlock(&guard->lock);
    return 0;
}

WEAK void __cxa_guard_release(struct guard *guard)
{
    __atomic_store_n(&guard->is_done, 1, __ATOMIC_RELEASE);
    pthread_spin_unlock(&guard->lock);
}

WEAK void __cxa_guard_abort(struct guard *guard) { pthread_spin_unlock(&guard->lock); }

WEAK __attribute__((noreturn)) void __cxa_pure_virtual(void) { abort(); }
WEAK __attribute__((noreturn)) void __cxa_deleted_virtual(void) { abort(); }

WEAK void *__dso_handle;
