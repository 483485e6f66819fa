/* The tables of the stream classes of C++ that contain their buffer: virtual functions, and those for constructors.
 *
 * A class has one part for itself, one for its std::ostream if that is not the first, and one for its std::ios. While a
 * base class is constructed the same parts serve: they say where the std::ios is, and nothing virtual is called then.
 */
#ifndef SELVEDGE_STREAMTABLES_H
#define SELVEDGE_STREAMTABLES_H

#include "iostreams.h"

struct part {
    long to_ios; /* of the part for std::ios: back to the start */
    long to_start;
    const void *type;
    entry functions[2]; /* destructors: of an object; of one that is deleted */
};

/* Where a std::iostream has its std::ostream. */
#define TO_OUT (2 * (long)sizeof(void *))

/* The start of the object that holds this part. */
static inline char *whole(void *part) { return (char *)part + (*(const long **)part)[-2]; }

#define PART(to_ios, to_start, destroy, delete_)                                                                       \
    {(to_ios), (to_start), &__selvedge_type_of_a_stream, {ENTRY(destroy), ENTRY(delete_)}}

/* A class with its std::ios at `ios`: with one way in or out, and with both. */
#define ONE_WAY(table, constructors, ios, destroy, delete_)                                                            \
    WEAK const struct part table[2] = {PART(ios, 0, destroy, delete_), PART(-(ios), -(ios), destroy, delete_)};        \
    WEAK const void *const constructors[4] = {table[0].functions, table[0].functions, table[1].functions,              \
                                              table[1].functions};

#define BOTH_WAYS(table, constructors, ios, destroy, delete_)                                                          \
    WEAK const struct part table[3] = {PART(ios, 0, destroy, delete_),                                                 \
                                       PART((ios) - TO_OUT, -TO_OUT, destroy, delete_),                                \
                                       PART(-(ios), -(ios), destroy, delete_)};                                        \
    WEAK const void *const constructors[10] = {                                                                        \
        table[0].functions, table[0].functions, table[0].functions, table[2].functions, table[1].functions,            \
        table[2].functions, table[2].functions, table[1].functions, table[2].functions, table[1].functions};

/* The destructors of a class whose buffer is at `at`. */
#define DESTRUCTORS(name, at, release)                                                                                 \
    static void name##_destroy(void *part) { release((void *)(whole(part) + (at))); }                                  \
    static void name##_delete(void *part)                                                                              \
    {                                                                                                                  \
        char *start = whole(part);                                                                                     \
        release((void *)(start + (at)));                                                                               \
        _ZdlPv(start);                                                                                                 \
    }

#endif
