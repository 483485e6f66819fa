/* The kinds of keys that come with the hash table: numbers and texts. */
#include "internal.h"
#include <string.h>

/* Multiplies by 2^32 divided by the golden ratio (Knuth, volume 3, 6.4), which spreads neighbours. The lower bits, which a
   table uses, depend on the lower bits of a key only, so the upper ones are brought down. */
static uint32_t hash_of_number(Word key)
{
    uint32_t folded = (uint32_t)key ^ (uint32_t)(key >> 32);
    return folded * 2654435761u >> 7;
}

/* Fowler, Noll and Vo's function, variant 1a. */
static uint32_t hash_of_text(Word key)
{
    uint32_t hash = 2166136261u;
    for (const unsigned char *text = (const unsigned char *)key; *text; text++)
        hash = (hash ^ *text) * 16777619u;
    return hash ^ hash >> 15;
}

static bool texts_are_equal(Word one, Word other)
{
    return strcmp((const char *)one, (const char *)other) == 0;
}

static Word copy_of_text(Word key)
{
    size_t size = strlen((const char *)key) + 1;
    char *copy = obtain(size);
    memcpy(copy, (const char *)key, size);
    return (Word)copy;
}

const KeyKind number_keys = {hash_of_number, NULL, NULL};
const KeyKind text_keys = {hash_of_text, texts_are_equal, copy_of_text};
