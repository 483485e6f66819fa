/* Run-time type information of C++: the tables that tell kinds of types apart, and the types that every program shares.
 *
 * The layout is that of the C++ ABI of Itanium. What a type's table holds at the address that the type points to is our
 * own: its kind, which the engine reads (exec/src/models/unwind.rs).
 */
#include "runtime.h"
#include "types.h"

#define TABLE(name, kind) WEAK const void *const name[3] = {0, 0, (const void *)kind};
TABLE(_ZTVN10__cxxabiv117__class_type_infoE, CLASS)
TABLE(_ZTVN10__cxxabiv120__si_class_type_infoE, CLASS_WITH_BASE)
TABLE(_ZTVN10__cxxabiv121__vmi_class_type_infoE, CLASS_WITH_BASES)
TABLE(_ZTVN10__cxxabiv119__pointer_type_infoE, POINTER)
TABLE(_ZTVN10__cxxabiv129__pointer_to_member_type_infoE, OTHER)
TABLE(_ZTVN10__cxxabiv123__fundamental_type_infoE, OTHER)
TABLE(_ZTVN10__cxxabiv120__function_type_infoE, OTHER)
TABLE(_ZTVN10__cxxabiv117__array_type_infoE, OTHER)
TABLE(_ZTVN10__cxxabiv116__enum_type_infoE, OTHER)

struct pointer_type {
    struct type type;
    unsigned flags;
    const struct type *to;
};

#define TO_CONST 1

/* A fundamental type, pointers to it and pointers to constants of it. */
#define FUNDAMENTAL(code)                                                                                              \
    WEAK const struct type _ZTI##code = {_ZTVN10__cxxabiv123__fundamental_type_infoE + 2, #code};                      \
    WEAK const struct pointer_type _ZTIP##code = {                                                                     \
        {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "P" #code}, 0, &_ZTI##code};                                     \
    WEAK const struct pointer_type _ZTIPK##code = {                                                                    \
        {_ZTVN10__cxxabiv119__pointer_type_infoE + 2, "PK" #code}, TO_CONST, &_ZTI##code};

FUNDAMENTAL(v)
FUNDAMENTAL(b)
FUNDAMENTAL(c)
FUNDAMENTAL(a)
FUNDAMENTAL(h)
FUNDAMENTAL(w)
FUNDAMENTAL(s)
FUNDAMENTAL(t)
FUNDAMENTAL(i)
FUNDAMENTAL(j)
FUNDAMENTAL(l)
FUNDAMENTAL(m)
FUNDAMENTAL(x)
FUNDAMENTAL(y)
FUNDAMENTAL(n)
FUNDAMENTAL(o)
FUNDAMENTAL(f)
FUNDAMENTAL(d)
FUNDAMENTAL(e)
FUNDAMENTAL(Du)
FUNDAMENTAL(Ds)
FUNDAMENTAL(Di)
FUNDAMENTAL(Dn)

/* What the end of a thread, by pthread_exit or because it is cancelled, can be caught as; and exceptions of other
 * languages, which there are none of. */
WEAK const struct type _ZTIN10__cxxabiv115__forced_unwindE = {_ZTVN10__cxxabiv117__class_type_infoE + 2,
                                                              "N10__cxxabiv115__forced_unwindE"};
WEAK const struct type _ZTIN10__cxxabiv119__foreign_exceptionE = {_ZTVN10__cxxabiv117__class_type_infoE + 2,
                                                                  "N10__cxxabiv119__foreign_exceptionE"};
