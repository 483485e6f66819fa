// Threads count words in a hash table whose keys are texts; each adds words that the other one adds as well.
// Verdict: safe.
// Exercises: keys that the table copies, carries from table to table, and releases once.
//
// -DWORDS=n  how many words of its list a thread counts    -DFORGET  one thread removes a word instead
// -DCOMPACT  the other one rebuilds the table              -DFEW     one word is there at the beginning, not two
#include "hash/hashtable.h"
#include "reclaim.h"
#include <pthread.h>
#include <string.h>

#ifndef WORDS
#define WORDS 1
#endif

static HashTable *hash;
static const char *const words[] = {"thrum", "warp", "thrum", "weft"};

static void *count(void *argument)
{
    int me = (int)(intptr_t)argument;
    for (int i = 0; i < WORDS; i++) {
        /* The table must not keep our text. */
        char word[8];
        strcpy(word, words[(me * 2 + i) % 4]);
        hash_add(hash, me, (Word)word, 1);
        memset(word, 'x', sizeof word);
    }
    return 0;
}

static void *forget(void *unused)
{
    hash_remove(hash, 1, (Word) "warp", 0);
    return unused;
}

static void *rebuild(void *unused)
{
    hash_compact(hash, 0);
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    hash = hash_new_for(&text_keys, FIRST_SIZE);
    hash_insert(hash, 0, (Word) "warp", 1);
#ifndef FEW
    hash_insert(hash, 0, (Word) "weft", 0);
#endif
#ifdef COMPACT
    pthread_create(&threads[0], 0, rebuild, 0);
#else
    (void)rebuild;
    pthread_create(&threads[0], 0, count, (void *)0);
#endif
#ifdef FORGET
    pthread_create(&threads[1], 0, forget, 0);
#else
    (void)forget;
    pthread_create(&threads[1], 0, count, (void *)1);
#endif
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(hash_is_sound(hash));
    Word sum = 0, value, key;
    HashIterator iterator;
    hash_iterate(&iterator, hash, 0);
    while (hash_next(&iterator, &key, &value)) {
        assert(strcmp((const char *)key, "warp") == 0 || strcmp((const char *)key, "weft") == 0
               || strcmp((const char *)key, "thrum") == 0);
        sum += value;
    }
    hash_iterate_end(&iterator);
#if defined(FORGET) || defined(COMPACT)
    assert(sum <= 1 + WORDS);
#else
    assert(sum == 1 + 2 * WORDS);
#endif
    hash_free(hash);
    reclaim_all();
    return 0;
}
