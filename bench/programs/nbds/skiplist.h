/* A skip list without locks: keys with values, each key at most once.
 *
 * Algorithm: Fraser (2004) in the form of Herlihy and Shavit, "The Art of Multiprocessor Programming", §14.4: a tower of
 * links, each level a sorted list of Harris and Michael's kind. A node is in the set while its lowest link is not marked;
 * the levels above are only shortcuts.
 *
 * A node's memory has two users, the thread that links its tower and the one that deletes it. The last of them to finish
 * sees to it that the node is unlinked everywhere and gives it to reclamation. */
#ifndef NBDS_SKIPLIST_H
#define NBDS_SKIPLIST_H

#include "common.h"

#ifndef MAX_HEIGHT
#define MAX_HEIGHT 3
#endif

typedef struct SkipList SkipList;

SkipList *skiplist_new(void);

/* Adds the key if it is not there, with a tower of `height` levels, 1 to MAX_HEIGHT. */
bool skiplist_insert(SkipList *list, int thread, Key key, Word value, int height);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool skiplist_remove(SkipList *list, int thread, Key key, Word *value);

/* Whether the key is there, and its value. */
bool skiplist_find(SkipList *list, int thread, Key key, Word *value);

/* The smallest key that is not below `from`; false if there is none. */
bool skiplist_find_from(SkipList *list, int thread, Key from, Key *key);

/* For quiet times only, when no other thread uses the list. */
int skiplist_count(const SkipList *list);
/* Whether the keys of every level ascend and are in the level below, and no deleted node is linked anywhere. */
bool skiplist_is_sound(const SkipList *list);
void skiplist_free(SkipList *list);

/* A height that depends on the key alone: one level more with probability 1/2. */
int skiplist_height(Key key);

#endif
