/* Run-time type information of C++ and the objects of exceptions, as far as the files of the run-time share them. */
#ifndef SELVEDGE_TYPES_H
#define SELVEDGE_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* std::type_info. */
struct type {
    const void *const *table;
    const char *name;
};

/* What the first entry of a type's table holds: see types.c. */
enum kind { CLASS = 1, CLASS_WITH_BASE, CLASS_WITH_BASES, POINTER, OTHER };

/* A class with one base, which lies at its start. */
struct class_type {
    struct type type;
    const struct type *base;
};

/* See types.c. */
extern const void *const _ZTVN10__cxxabiv117__class_type_infoE[3];
extern const void *const _ZTVN10__cxxabiv120__si_class_type_infoE[3];

/* See cxx.c. The names differ with the width of size_t. */
#if SIZE_MAX == UINT64_MAX
#define NEW _Znwm
#else
#define NEW _Znwj
#endif
void *NEW(size_t size);
void _ZdlPv(void *p);

/* See exceptions.c. */
void *__cxa_allocate_exception(size_t size);
void __cxa_throw(void *object, const struct type *type, void (*destructor)(void *));

#endif
