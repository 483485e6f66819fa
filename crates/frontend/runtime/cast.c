/* `dynamic_cast` and the functions of std::type_info.
 *
 * An object's table has before its first function the type of the complete object and the way to its beginning. The
 * types of bases are walked as the C++ ABI of Itanium lays them out; the kinds of types are those of types.c.
 */
#include "runtime.h"
#include "types.h"

#include <stdlib.h>

/* A class with several bases, or with virtual ones or such that are not public. */
struct base {
    const struct type *type;
    long flags; /* and the offset, or for a virtual base where the object's table has it */
};

struct wide_type {
    struct type type;
    unsigned flags, n_bases;
    struct base bases[];
};

enum { VIRTUAL = 1, PUBLIC = 2, OFFSET_SHIFT = 8 };

static int is_same(const struct type *a, const struct type *b)
{
    if (a == b || a->name == b->name)
        return 1;
    size_t i = 0;
    while (a->name[i] == b->name[i] && a->name[i])
        i++;
    return a->name[i] == b->name[i];
}

static const void *const *table_of(const char *object) { return *(const void *const *const *)object; }

/* A part of an object: where it is, and of which class. No two of one class are at the same place. */
struct part {
    const struct type *type;
    const char *at;
};

/* The number of direct bases of a part's class. */
static unsigned n_bases(struct part part)
{
    switch ((intptr_t)part.type->table[0]) {
    case CLASS_WITH_BASE: return 1;
    case CLASS_WITH_BASES: return ((const struct wide_type *)part.type)->n_bases;
    default: return 0;
    }
}

static struct part base_of(struct part part, unsigned i, int *is_public)
{
    if ((intptr_t)part.type->table[0] == CLASS_WITH_BASE) {
        *is_public = 1;
        return (struct part){((const struct class_type *)part.type)->base, part.at};
    }
    struct base base = ((const struct wide_type *)part.type)->bases[i];
    ptrdiff_t offset = base.flags >> OFFSET_SHIFT;
    if (base.flags & VIRTUAL)
        offset = *(const ptrdiff_t *)((const char *)table_of(part.at) + offset);
    *is_public = (base.flags & PUBLIC) != 0;
    return (struct part){base.type, part.at + offset};
}

/* Whether `wanted` is `part`, or a public base in it. */
static int has_public(struct part part, struct part wanted)
{
    if (part.at == wanted.at && is_same(part.type, wanted.type))
        return 1;
    for (unsigned i = 0; i < n_bases(part); i++) {
        int is_public;
        struct part base = base_of(part, i, &is_public);
        if (is_public && has_public(base, wanted))
            return 1;
    }
    return 0;
}

struct search {
    struct part from;
    const struct type *to;
    /* Parts of type `to`: the one that `from` is a public base of, and the last one at all. */
    const char *derived, *any;
    int n_derived, n_any;
    int is_any_public;
};

static void look_for(struct search *search, struct part part, int is_public)
{
    if (is_same(part.type, search->to)) {
        if (search->any != part.at) {
            search->n_any++;
            search->any = part.at;
            search->is_any_public = 0;
        }
        search->is_any_public |= is_public;
        if (search->derived != part.at && has_public(part, search->from)) {
            search->n_derived++;
            search->derived = part.at;
        }
        return; /* no class is a base of itself */
    }
    for (unsigned i = 0; i < n_bases(part); i++) {
        int is_base_public;
        struct part base = base_of(part, i, &is_base_public);
        look_for(search, base, is_public && is_base_public);
    }
}

WEAK const void *__dynamic_cast(const void *object, const struct type *from, const struct type *to, ptrdiff_t hint)
{
    (void)hint;
    const void *const *table = table_of(object);
    struct part whole = {table[-1], (const char *)object + (ptrdiff_t)table[-2]};
    struct search search = {.from = {from, object}, .to = to};
    look_for(&search, whole, 1);
    if (search.n_derived == 1)
        return search.derived;
    if (search.n_derived == 0 && search.n_any == 1 && search.is_any_public && has_public(whole, search.from))
        return search.any;
    return NULL;
}

/* --- std::type_info --- */

WEAK _Bool _ZNKSt9type_infoeqERKS_(const struct type *a, const struct type *b) { return is_same(a, b); }
WEAK void _ZNSt9type_infoD1Ev(struct type *type) { (void)type; }
WEAK void _ZNSt9type_infoD2Ev(struct type *type) { (void)type; }
WEAK void _ZNSt9type_infoD0Ev(struct type *type) { _ZdlPv(type); }

WEAK const struct type _ZTISt9type_info = {_ZTVN10__cxxabiv117__class_type_infoE + 2, "St9type_info"};
WEAK const void *const _ZTVSt9type_info[4] = {0, &_ZTISt9type_info, (void *)_ZNSt9type_infoD1Ev,
                                              (void *)_ZNSt9type_infoD0Ev};

/* Asks a part of a std::shared_ptr without type information whether it is the one that std::make_shared made. */
WEAK _Bool _ZNSt19_Sp_make_shared_tag5_S_eqERKSt9type_info(const struct type *type)
{
    static const char name[] = "St19_Sp_make_shared_tag";
    for (size_t i = 0; i < sizeof name; i++) {
        if (type->name[i] != name[i])
            return 0;
    }
    return 1;
}
