/* What C++ programs need without exceptions: new and delete, static initialisation, pure virtual functions.
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
        __selvedge_unsupported("operator new out of memory (exceptions are not modelled)");                            \
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

/* What ends a program that cannot go on. An exception that is thrown is not modelled. */
WEAK __attribute__((noreturn)) void _ZSt9terminatev(void) { abort(); }

static __attribute__((noreturn)) void throws(void)
{
    __selvedge_unsupported("an exception of the C++ library");
}

WEAK __attribute__((noreturn)) void _ZSt17__throw_bad_allocv(void) { throws(); }
WEAK __attribute__((noreturn)) void _ZSt28__throw_bad_array_new_lengthv(void) { throws(); }

WEAK __attribute__((noreturn)) void _ZSt20__throw_length_errorPKc(const char *what)
{
    (void)what;
    throws();
}

WEAK __attribute__((noreturn)) void _ZSt19__throw_logic_errorPKc(const char *what)
{
    (void)what;
    throws();
}

WEAK __attribute__((noreturn)) void _ZSt20__throw_out_of_rangePKc(const char *what)
{
    (void)what;
    throws();
}

WEAK __attribute__((noreturn)) void _ZSt24__throw_out_of_range_fmtPKcz(const char *format, ...)
{
    (void)format;
    throws();
}

/* Run-time type information points into these tables; nothing is ever read through them without exceptions and
 * dynamic_cast, which are not modelled. */
WEAK void *_ZTVN10__cxxabiv117__class_type_infoE[11];
WEAK void *_ZTVN10__cxxabiv120__si_class_type_infoE[11];
WEAK void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[11];
WEAK void *__dso_handle;
