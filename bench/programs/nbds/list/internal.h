/* What the files of the list share: nodes, places, and the search. */
#ifndef NBDS_LIST_INTERNAL_H
#define NBDS_LIST_INTERNAL_H

#include "../backoff.h"
#include "../list.h"
#include "../reclaim.h"

typedef struct ListNode {
    /* Marked when the node is about to be unlinked; never changes afterwards. */
    Link next;
    Word key;
    /* GONE when the key is deleted; never changes afterwards. */
    Link value;
} ListNode;

enum { INSERTED, REMOVED, REPLACED, UNLINKED, HELPED, RESTARTED, N_EVENTS };

struct List {
    Link head;
    const MapOptions *options;
#ifdef STATISTICS
    /* Each thread has its own. */
    atomic_size_t events[MAX_THREADS][N_EVENTS];
#endif
};

/* A place in the list: the link before it, and the node there. At some moment of the search, `before` was not marked and led
 * to `node`, and `node` was linked with `next` behind it and not marked. */
typedef struct {
    Link *before;
    ListNode *node; /* Null at the end. */
    uintptr_t next;
} Place;

/* Hazard pointers of a search: the node that is looked at, and the one before it. */
enum { HAZARD_NODE, HAZARD_BEFORE };

static inline ListNode *list_node_of(uintptr_t link)
{
    return (ListNode *)without_mark(link);
}

/* The node that holds this link; null for the head. */
static inline ListNode *list_holder(const List *list, Link *link)
{
    return link == &list->head ? NULL : (ListNode *)((char *)link - offsetof(ListNode, next));
}

static inline void list_note(List *list, int thread, int event)
{
#ifdef STATISTICS
    atomic_fetch_add(&list->events[thread][event], 1);
#else
    (void)list;
    (void)thread;
    (void)event;
#endif
}

/* Whether the key of the node is there. */
static inline bool list_is_alive(ListNode *node)
{
    return atomic_load(&node->value) != GONE;
}

ListNode *list_node_new(const List *list, Word key, Word value);
/* Releases a node that was never linked, or that nobody can reach any more. */
void list_node_free(const MapOptions *options, ListNode *node);
/* The same when others may still read it. */
void list_node_retire(List *list, int thread, ListNode *node);

/* Finds a place, and unlinks every marked node on the way. True if the bound is a key that some node there has; whether the
 * node is alive is another question. `start` is a node that is not behind the place and that is protected, or null: if it is
 * not marked, the search begins there. */
bool list_seek(List *list, int thread, Bound bound, ListNode *start, Place *place);

/* As `list_seek`, but the node that is found is alive. */
bool list_seek_alive(List *list, int thread, Bound bound, ListNode *start, Place *place);

/* Marks a deleted node, so that searches unlink it. */
void list_mark(ListNode *node);

/* Marks the node if it is deleted and its remover has not come to it yet; the next search will unlink it. False if the node is
 * alive. */
bool list_help(List *list, int thread, ListNode *node);

/* Marks and unlinks a node that is GONE, where it was found. `key` is its key, but must not be the node's own copy, unless the
 * node is pinned: others may retire the node before we are done. */
void list_unlink(List *list, int thread, Word key, ListNode *node, Place *place);

/* Links a node at a place if nothing has changed there. */
bool list_link(Place *place, ListNode *node);

#endif
