/* The words that the sorted structures share: what they are made with, what they are asked, and what they answer. */
#ifndef NBDS_MAP_H
#define NBDS_MAP_H

#include "keys.h"

/* How a structure handles its keys and where its nodes come from. By reference, and must outlive all of its nodes. */
typedef struct MapOptions {
    const KeyType *keys;   /* Null for unsigned numbers. */
    const Memory *memory; /* Null for the system's. */
} MapOptions;

/* A value that no key can have: it says that a node is deleted. */
#define GONE UINTPTR_MAX

typedef struct {
    Word key;
    Word value;
} Pair;

/* What became of a conditional change. */
typedef enum { CHANGED, DIFFERENT, MISSING } Outcome;

/* A new value for a present one. May be called several times for one change and must have no effects of its own. */
typedef Word Change(Word value, void *context);

/* Is told a key and its value; the answer says whether to go on, or whether to keep the key. */
typedef bool Visit(Word key, Word value, void *context);

/* Where a search ends: at the first key of all, at the first that is not below `key`, at the first above it, or behind the
 * last one. */
typedef struct {
    enum { AT_FIRST, AT_KEY, ABOVE_KEY, AT_END } where;
    Word key;
} Bound;

static inline const Memory *memory_of(const MapOptions *options)
{
    return options ? options->memory : NULL;
}

static inline int key_order(const MapOptions *options, Word left, Word right)
{
    if (options && options->keys)
        return options->keys->compare(left, right);
    return left < right ? -1 : left > right;
}

/* A key for a node of its own, or for a user who keeps it when the node is gone. */
static inline Word key_copy(const MapOptions *options, Word key)
{
    if (options && options->keys && options->keys->copy)
        return options->keys->copy(options->memory, key);
    return key;
}

static inline void key_release(const MapOptions *options, Word key)
{
    if (options && options->keys && options->keys->release)
        options->keys->release(options->memory, key);
}

/* Whether a walk to the bound ends at this key; `is_same` says whether it is the bound's, where that may be. */
static inline bool bound_stops(const MapOptions *options, Word key, Bound bound, bool *is_same)
{
    *is_same = false;
    if (bound.where == AT_FIRST)
        return true;
    if (bound.where == AT_END)
        return false;
    int order = key_order(options, key, bound.key);
    if (order < 0)
        return false;
    if (bound.where == ABOVE_KEY)
        return order > 0;
    *is_same = order == 0;
    return true;
}

/* Whether the key lies behind the end of a range; without an end it never does. */
static inline bool is_beyond(const MapOptions *options, Word key, const Word *to)
{
    return to && key_order(options, key, *to) > 0;
}

#endif
