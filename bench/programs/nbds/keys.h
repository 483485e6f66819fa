/* What a key is. The sorted structures keep a key as one word and know three things about it: how two of them compare, how
 * one is copied into a node, and how such a copy is released.
 *
 * Without a type, a key is an unsigned number and needs none of it. `signed_key_type` is for signed numbers, `byte_key_type`
 * for strings of bytes with a length (the word is a pointer to them), `text_key_type` for strings that end with a zero. */
#ifndef NBDS_KEYS_H
#define NBDS_KEYS_H

#include "memory.h"

typedef struct KeyType {
    /* Below 0 if `left` comes before `right`, 0 if they are the same, above 0 else. A total order. */
    int (*compare)(Word left, Word right);
    /* Null if the word itself is the key. */
    Word (*copy)(const Memory *memory, Word key);
    void (*release)(const Memory *memory, Word key);
} KeyType;

typedef struct Bytes {
    size_t length;
    unsigned char bytes[];
} Bytes;

extern const KeyType signed_key_type;
extern const KeyType byte_key_type;
extern const KeyType text_key_type;

/* A new string of bytes, from `memory`; to be released by `memory_release`. */
Bytes *bytes_new(const Memory *memory, const void *bytes, size_t length);

#endif
