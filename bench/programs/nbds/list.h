/* A sorted list without locks: keys with values, each key at most once.
 *
 * Algorithm: Michael, "High performance dynamic lock-free hash tables and list-based sets" (SPAA 2002), after Harris (DISC
 * 2001). A node is unlinked in two steps: first its own link is marked, so that nothing can be linked behind it any more;
 * then whoever finds a marked node swings the link before it over.
 *
 * Whether a key is there is decided by its value alone: a node is deleted by giving it the value GONE, once and for ever. So
 * an update of a value and the removal of its key are changes of one word, and one of them comes first.
 *
 * All operations may be called by any number of threads at a time, except those for quiet times. An operation that fails
 * because another one was faster begins anew; one of them always succeeds (they are lock-free). Keys and values are words; see
 * map.h for keys that are more than that. The value GONE must not be used.
 *
 * Parts: list/node.c, search.c, update.c, value.c, order.c, cursor.c, bulk.c, audit.c; `list.c` is all of them. */
#ifndef NBDS_LIST_H
#define NBDS_LIST_H

#include "map.h"

typedef struct List List;

/* A list of unsigned numbers whose nodes come from the system. */
List *list_new(void);
/* `options` are kept by reference and must outlive the list and the release of its nodes. */
List *list_new_with(const MapOptions *options);

/* Adding, looking, removing */

/* Adds the key if it is not there; false if it is. */
bool list_insert(List *list, int thread, Word key, Word value);

/* Adds the key if it is not there; else `present` is the value it has. */
bool list_insert_or_get(List *list, int thread, Word key, Word value, Word *present);

/* Gives the key a value, whether it is there or not; true if it was there, and `old` is what it had. */
bool list_put(List *list, int thread, Word key, Word value, Word *old);

/* Whether the key is there, and its value unless `value` is null. */
bool list_find(List *list, int thread, Word key, Word *value);
bool list_contains(List *list, int thread, Word key);

/* Removes the key if it is there; its value goes to `value` unless that is null. */
bool list_remove(List *list, int thread, Word key, Word *value);

/* Removes the key if its value is `expected`. */
Outcome list_remove_if(List *list, int thread, Word key, Word expected);

/* Values */

/* Gives a key that is there another value; `old` is what it had. */
bool list_replace(List *list, int thread, Word key, Word value, Word *old);

/* Gives the key the value `to` if it has the value `from`. */
Outcome list_swap(List *list, int thread, Word key, Word from, Word to);

/* Adds to the value of the key, or adds the key with the value `amount`; returns the new value. */
Word list_add(List *list, int thread, Word key, Word amount);

/* Gives the key the value that `change` makes of the present one; the key is removed if that is GONE. False if the key is not
 * there; `result` is the new value. */
bool list_update(List *list, int thread, Word key, Change *change, void *context, Word *result);

/* Order. A key that is handed out is a copy if its type has copies, to be released by `key_release`. */

bool list_first(List *list, int thread, Word *key, Word *value);
bool list_last(List *list, int thread, Word *key, Word *value);
/* The smallest key that is not below `from`, or above it. */
bool list_ceiling(List *list, int thread, Word from, Word *key, Word *value);
bool list_above(List *list, int thread, Word from, Word *key, Word *value);
/* The largest key that is not above `from`, or below it. */
bool list_floor(List *list, int thread, Word from, Word *key, Word *value);
bool list_below(List *list, int thread, Word from, Word *key, Word *value);
/* Takes the first key away; false if the list is empty. */
bool list_remove_first(List *list, int thread, Word *key, Word *value);

/* Cursors: a walk through the keys, upwards, while others change the list. Every key that is there all the time is met once,
 * none is met twice, and each was there at some moment after the one before was met. A cursor holds on to one node; the thread
 * that has opened it may use the list meanwhile. */

typedef struct {
    List *list;
    int thread;
    int pin;
    /* The node it stands on; null before the first one. */
    struct ListNode *at;
    bool has_bound;
    Word bound; /* Where to begin. */
} ListCursor;

/* False if the thread has too many cursors open. Keys that are smaller than `from` are left out; null begins at the first. */
bool list_cursor_open(ListCursor *cursor, List *list, int thread, const Word *from);
/* Goes on to the next key; false if there is none. The key is valid until the next call. */
bool list_cursor_next(ListCursor *cursor, Word *key, Word *value);
/* Removes the key that the cursor stands on; false if somebody else has done so. */
bool list_cursor_remove(ListCursor *cursor, Word *value);
/* Gives the key that the cursor stands on another value; false if it is not there any more. */
bool list_cursor_replace(ListCursor *cursor, Word value, Word *old);
void list_cursor_close(ListCursor *cursor);

/* Calls `visit` for the keys from `from` to `to`, both included, until it returns false; returns for how many. */
int list_visit(List *list, int thread, const Word *from, const Word *to, Visit *visit, void *context);
int list_count_range(List *list, int thread, const Word *from, const Word *to);

/* Many at once. Each key for itself is changed in one moment, not all of them together. */

/* Adds those that are not there; returns how many. Where the keys ascend, no search has to begin at the beginning. */
int list_insert_all(List *list, int thread, const Pair *pairs, int n_pairs);
/* Removes those that are there, likewise. */
int list_remove_all(List *list, int thread, const Word *keys, int n_keys);
/* Removes the keys from `from` to `to`, both included; returns how many. */
int list_remove_range(List *list, int thread, const Word *from, const Word *to);
/* Removes the keys that `keep` says no to; returns how many. */
int list_retain(List *list, int thread, Visit *keep, void *context);
/* Removes everything that is met on one way through; returns how many. */
int list_clear(List *list, int thread);
/* Copies what a cursor meets into `pairs`, at most `n_room`; returns how many. The keys are copies. */
int list_collect(List *list, int thread, Pair *pairs, int n_room);

/* For quiet times only, when no other thread uses the list. */

/* A list with these keys, which must ascend; null if they do not. */
List *list_build(const MapOptions *options, const Pair *pairs, int n_pairs);
List *list_copy(const List *list);
bool list_is_equal(const List *left, const List *right);
int list_count(const List *list);

/* What an audit finds. */
typedef struct {
    int n_keys;
    int n_disordered; /* Nodes that do not come after the one before. */
    int n_gone;       /* Deleted, but neither marked nor unlinked. */
    int n_marked;     /* Marked, but not unlinked. */
    bool is_circular; /* Some node is linked twice; the counts go up to that point. */
} ListAudit;

ListAudit list_audit(const List *list);
/* Whether the keys ascend, with no marks left behind that somebody still has to unlink. */
bool list_is_sound(const List *list);
void list_free(List *list);

/* What has happened so far; all are 0 unless the library is compiled with -DSTATISTICS. */
typedef struct {
    size_t n_inserted;
    size_t n_removed;
    size_t n_replaced;
    size_t n_unlinked;
    size_t n_helped;    /* Nodes marked for somebody else. */
    size_t n_restarted; /* Searches that had to begin anew. */
} ListStatistics;

ListStatistics list_statistics(const List *list);

#endif
