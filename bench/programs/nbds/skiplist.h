/* A skip list without locks: keys with values, each key at most once; also a priority queue.
 *
 * Algorithm: Fraser (2004) in the form of Herlihy and Shavit, "The Art of Multiprocessor Programming", §14.4: a tower of
 * links, each level a sorted list of Harris and Michael's kind; the levels above the lowest are only shortcuts. As in list.h,
 * a key is there while the value of its node is not GONE, so that values can be changed by compare-and-swap; the links of a
 * deleted node are marked afterwards, from the top down, and by whoever comes by. Taking the first key away is that of Lotan
 * and Shavit (2000) and of Sundell and Tsigas (2003).
 *
 * A node's memory has two users, the thread that links its tower and the one that deletes it. The last of them to finish
 * sees to it that the node is unlinked everywhere and gives it to reclamation.
 *
 * All operations may be called by any number of threads at a time, except those for quiet times. The value GONE must not be
 * used.
 *
 * Parts: skiplist/node.c, search.c, tower.c, update.c, value.c, order.c, queue.c, cursor.c, bulk.c, audit.c; `skiplist.c` is
 * all of them. */
#ifndef NBDS_SKIPLIST_H
#define NBDS_SKIPLIST_H

#include "map.h"

#ifndef MAX_HEIGHT
#define MAX_HEIGHT 3
#endif

typedef struct SkipList SkipList;

/* A list of unsigned numbers whose nodes come from the system. */
SkipList *skiplist_new(void);
/* `options` are kept by reference and must outlive the list and the release of its nodes. */
SkipList *skiplist_new_with(const MapOptions *options);

/* Adding, looking, removing */

/* Adds the key if it is not there; false if it is. The height of its tower is drawn by lot: one level more with probability
 * 1/2. */
bool skiplist_insert(SkipList *list, int thread, Word key, Word value);
/* The same with a tower of `height` levels, 1 to MAX_HEIGHT. */
bool skiplist_insert_tower(SkipList *list, int thread, Word key, Word value, int height);

/* Adds the key if it is not there; else `present` is the value it has. */
bool skiplist_insert_or_get(SkipList *list, int thread, Word key, Word value, Word *present);

/* Gives the key a value, whether it is there or not; true if it was there, and `old` is what it had. */
bool skiplist_put(SkipList *list, int thread, Word key, Word value, Word *old);

/* Whether the key is there, and its value unless `value` is null. */
bool skiplist_find(SkipList *list, int thread, Word key, Word *value);
bool skiplist_contains(SkipList *list, int thread, Word key);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool skiplist_remove(SkipList *list, int thread, Word key, Word *value);

/* Removes the key if its value is `expected`. */
Outcome skiplist_remove_if(SkipList *list, int thread, Word key, Word expected);

/* Values */

/* Gives a key that is there another value; `old` is what it had. */
bool skiplist_replace(SkipList *list, int thread, Word key, Word value, Word *old);

/* Gives the key the value `to` if it has the value `from`. */
Outcome skiplist_swap(SkipList *list, int thread, Word key, Word from, Word to);

/* Adds to the value of the key, or adds the key with the value `amount`; returns the new value. */
Word skiplist_add(SkipList *list, int thread, Word key, Word amount);

/* Gives the key the value that `change` makes of the present one; the key is removed if that is GONE. False if the key is not
 * there; `result` is the new value. */
bool skiplist_update(SkipList *list, int thread, Word key, Change *change, void *context, Word *result);

/* Order. A key that is handed out is a copy if its type has copies, to be released by `key_release`. */

bool skiplist_first(SkipList *list, int thread, Word *key, Word *value);
bool skiplist_last(SkipList *list, int thread, Word *key, Word *value);
/* The smallest key that is not below `from`, or above it. */
bool skiplist_ceiling(SkipList *list, int thread, Word from, Word *key, Word *value);
bool skiplist_above(SkipList *list, int thread, Word from, Word *key, Word *value);
/* The largest key that is not above `from`, or below it. */
bool skiplist_floor(SkipList *list, int thread, Word from, Word *key, Word *value);
bool skiplist_below(SkipList *list, int thread, Word from, Word *key, Word *value);

/* A priority queue: the key is the priority. Each key is taken by one thread only. */

/* Takes the first key away; false if the list is empty. */
bool skiplist_remove_first(SkipList *list, int thread, Word *key, Word *value);
bool skiplist_remove_last(SkipList *list, int thread, Word *key, Word *value);
/* Takes the first key away unless it is above `limit`: what is due. */
bool skiplist_remove_due(SkipList *list, int thread, Word limit, Word *key, Word *value);
/* Takes one of the first `n_candidates` keys away, another one in each thread, so that threads meet less often (after Alistarh
 * et al., "The SprayList", PPoPP 2015). False only if the list is empty. */
bool skiplist_remove_near_first(SkipList *list, int thread, int n_candidates, Word *key, Word *value);

/* Cursors: a walk through the keys, upwards, while others change the list. Every key that is there all the time is met once,
 * none is met twice, and each was there at some moment after the one before was met. A cursor holds on to one node; the thread
 * that has opened it may use the list meanwhile. */

typedef struct {
    SkipList *list;
    int thread;
    int pin;
    /* The node it stands on; null before the first one. */
    struct SkipNode *at;
    bool has_bound;
    Word bound; /* Where to begin. */
} SkipCursor;

/* False if the thread has too many cursors open. Keys that are smaller than `from` are left out; null begins at the first. */
bool skiplist_cursor_open(SkipCursor *cursor, SkipList *list, int thread, const Word *from);
/* Goes on to the next key; false if there is none. The key is valid until the next call. */
bool skiplist_cursor_next(SkipCursor *cursor, Word *key, Word *value);
/* Goes on to the first key that is not below `key`, unless the cursor is there or beyond. */
bool skiplist_cursor_skip(SkipCursor *cursor, Word key, Word *found, Word *value);
/* Removes the key that the cursor stands on; false if somebody else has done so. */
bool skiplist_cursor_remove(SkipCursor *cursor, Word *value);
/* Gives the key that the cursor stands on another value; false if it is not there any more. */
bool skiplist_cursor_replace(SkipCursor *cursor, Word value, Word *old);
void skiplist_cursor_close(SkipCursor *cursor);

/* Calls `visit` for the keys from `from` to `to`, both included, until it returns false; returns for how many. */
int skiplist_visit(SkipList *list, int thread, const Word *from, const Word *to, Visit *visit, void *context);
int skiplist_count_range(SkipList *list, int thread, const Word *from, const Word *to);

/* Many at once. Each key for itself is changed in one moment, not all of them together. */

/* Adds those that are not there; returns how many. */
int skiplist_insert_all(SkipList *list, int thread, const Pair *pairs, int n_pairs);
/* Removes the keys from `from` to `to`, both included; returns how many. */
int skiplist_remove_range(SkipList *list, int thread, const Word *from, const Word *to);
/* Removes the keys that `keep` says no to; returns how many. */
int skiplist_retain(SkipList *list, int thread, Visit *keep, void *context);
/* Removes everything that is met on one way through; returns how many. */
int skiplist_clear(SkipList *list, int thread);
/* Copies what a cursor meets into `pairs`, at most `n_room`; returns how many. The keys are copies. */
int skiplist_collect(SkipList *list, int thread, Pair *pairs, int n_room);

/* For quiet times only, when no other thread uses the list. */

/* A list with these keys, which must ascend; null if they do not. The towers are those of a perfect skip list: every second
 * node has two levels, every fourth three, and so on. */
SkipList *skiplist_build(const MapOptions *options, const Pair *pairs, int n_pairs);
SkipList *skiplist_copy(const SkipList *list);
bool skiplist_is_equal(const SkipList *left, const SkipList *right);
int skiplist_count(const SkipList *list);

/* What an audit finds. */
typedef struct {
    int n_keys;
    int n_at_level[MAX_HEIGHT];
    int n_disordered; /* Nodes that do not come after the one before at some level. */
    int n_detached;   /* Nodes at some level that are missing from the level below, or are not that tall. */
    int n_unfinished; /* Towers with levels that are not linked, though their thread has finished. */
    int n_gone;       /* Deleted, but not marked and unlinked everywhere. */
    int n_in_use;     /* Nodes on which somebody still works. */
    bool is_circular; /* Some node is linked twice at a level; the counts leave out that level and those above. */
} SkipListAudit;

SkipListAudit skiplist_audit(const SkipList *list);
/* Whether the keys of every level ascend and are in the level below, and no deleted node is linked anywhere. */
bool skiplist_is_sound(const SkipList *list);
void skiplist_free(SkipList *list);

/* A height that depends on the key alone: one level more with probability 1/2. */
int skiplist_height(Word key);

/* What has happened so far; all are 0 unless the library is compiled with -DSTATISTICS. */
typedef struct {
    size_t n_inserted;
    size_t n_removed;
    size_t n_replaced;
    size_t n_unlinked; /* Links, not nodes. */
    size_t n_helped;   /* Nodes marked for somebody else. */
    size_t n_restarted; /* Searches that had to begin anew. */
} SkipListStatistics;

SkipListStatistics skiplist_statistics(const SkipList *list);

#endif
