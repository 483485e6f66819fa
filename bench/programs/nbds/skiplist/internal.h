/* What the files of the skip list share: nodes, paths, the search, and the life of a tower. */
#ifndef NBDS_SKIPLIST_INTERNAL_H
#define NBDS_SKIPLIST_INTERNAL_H

#include "../backoff.h"
#include "../reclaim.h"
#include "../skiplist.h"

typedef struct SkipNode {
    Word key;
    /* GONE when the key is deleted; never changes afterwards. */
    Link value;
    int height;
    /* Threads that still work on it: the one that links it and the one that deletes it. */
    atomic_int n_users;
    /* One for each level. Those of a deleted node are marked from the top down and then never change. */
    Link next[];
} SkipNode;

enum { SKIP_INSERTED, SKIP_REMOVED, SKIP_REPLACED, SKIP_UNLINKED, SKIP_HELPED, SKIP_RESTARTED, N_SKIP_EVENTS };

struct SkipList {
    Link heads[MAX_HEIGHT];
    const MapOptions *options;
    /* For the height of towers; each thread draws its own lots. */
    uint32_t lots[MAX_THREADS];
#ifdef STATISTICS
    atomic_size_t events[MAX_THREADS][N_SKIP_EVENTS];
#endif
};

/* At each level, the link before a bound and the first node that is not before it. At some moment of the search the link was
 * not marked and led to the node, and the node was not marked at this level. */
typedef struct {
    Link *before[MAX_HEIGHT];
    SkipNode *after[MAX_HEIGHT];
} Path;

/* Hazard pointers of a search, for each level: the node after, and the one before. */
#define HAZARD_AFTER(level) (2 * (level))
#define HAZARD_HOLDER(level) (2 * (level) + 1)

_Static_assert(RECLAIM != RECLAIM_HAZARDS || 2 * MAX_HEIGHT <= N_HAZARDS, "-DN_HAZARDS must be twice MAX_HEIGHT or more");

static inline SkipNode *skip_node_of(uintptr_t link)
{
    return (SkipNode *)without_mark(link);
}

/* The node that holds this link at `level`; null for the head. */
static inline SkipNode *skip_holder(SkipList *list, Link *link, int level)
{
    if (link == &list->heads[level])
        return NULL;
    return (SkipNode *)((char *)link - offsetof(SkipNode, next) - (size_t)level * sizeof(Link));
}

static inline bool skip_is_alive(SkipNode *node)
{
    return atomic_load(&node->value) != GONE;
}

static inline void skip_note(SkipList *list, int thread, int event)
{
#ifdef STATISTICS
    atomic_fetch_add(&list->events[thread][event], 1);
#else
    (void)list;
    (void)thread;
    (void)event;
#endif
}

SkipNode *skip_node_new(const SkipList *list, Word key, Word value, int height);
void skip_node_free(const MapOptions *options, SkipNode *node);
void skip_node_retire(SkipList *list, int thread, SkipNode *node);
/* A height drawn by lot. */
int skip_draw_height(SkipList *list, int thread);

/* Finds a bound at every level, and unlinks every marked node on the way. True if the bound is a key that some node there has;
 * whether the node is alive is another question. */
bool skip_seek(SkipList *list, int thread, Bound bound, Path *path);

/* As `skip_seek`, but the node that is found at the lowest level is alive. */
bool skip_seek_alive(SkipList *list, int thread, Bound bound, Path *path);

/* The same at the lowest level only, from a node on that is not behind the bound and is protected: false if that node is
 * marked, or the walk was lost. Only the lowest level of the path is written. */
bool skip_step(SkipList *list, int thread, Bound bound, SkipNode *start, Path *path);

/* Marks the node at all levels if it is deleted and its remover has not come to it yet. False if the node is alive. */
bool skip_help(SkipList *list, int thread, SkipNode *node);

/* Links a node at the lowest level if nothing has changed there: its key is there from now on. */
bool skip_link(Path *path, SkipNode *node);

/* Links the levels above the lowest, and lets the node go. To be called once for each node, by the thread that linked it. */
void skip_finish(SkipList *list, int thread, SkipNode *node, Path *path);

/* Marks a node that this thread has deleted, has it unlinked, and lets it go. */
void skip_bury(SkipList *list, int thread, SkipNode *node);

#endif
