/* Types of keys; see keys.h. */
#include "keys.h"
#include <string.h>

static int compare_signed(Word left, Word right)
{
    intptr_t l = (intptr_t)left, r = (intptr_t)right;
    return l < r ? -1 : l > r;
}

const KeyType signed_key_type = {compare_signed, NULL, NULL};

Bytes *bytes_new(const Memory *memory, const void *bytes, size_t length)
{
    Bytes *key = memory_obtain(memory, sizeof *key + length);
    key->length = length;
    memcpy(key->bytes, bytes, length);
    return key;
}

/* By the first byte that differs; of two that begin alike, the shorter one comes first. */
static int compare_bytes(Word left, Word right)
{
    const Bytes *l = (const Bytes *)left, *r = (const Bytes *)right;
    size_t n_common = l->length < r->length ? l->length : r->length;
    for (size_t i = 0; i < n_common; i++)
        if (l->bytes[i] != r->bytes[i])
            return l->bytes[i] < r->bytes[i] ? -1 : 1;
    return l->length < r->length ? -1 : l->length > r->length;
}

static Word copy_bytes(const Memory *memory, Word key)
{
    const Bytes *from = (const Bytes *)key;
    return (Word)bytes_new(memory, from->bytes, from->length);
}

static void release_block(const Memory *memory, Word key)
{
    memory_release(memory, (void *)key);
}

const KeyType byte_key_type = {compare_bytes, copy_bytes, release_block};

static int compare_text(Word left, Word right)
{
    return strcmp((const char *)left, (const char *)right);
}

static Word copy_text(const Memory *memory, Word key)
{
    size_t size = strlen((const char *)key) + 1;
    void *copy = memory_obtain(memory, size);
    memcpy(copy, (const void *)key, size);
    return (Word)copy;
}

const KeyType text_key_type = {compare_text, copy_text, release_block};
