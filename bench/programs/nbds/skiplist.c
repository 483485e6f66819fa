/* A skip list without locks; see skiplist.h. */
#include "skiplist.h"
#include "reclaim.h"

typedef struct Node {
    Key key;
    Word value;
    int height;
    /* Threads that still work on it: the one that links it and the one that deletes it. */
    atomic_int n_users;
    Link next[MAX_HEIGHT];
} Node;

struct SkipList {
    Link heads[MAX_HEIGHT];
};

/* At each level, the link before a key and the first node whose key is not smaller. */
typedef struct {
    Link *before[MAX_HEIGHT];
    Node *after[MAX_HEIGHT];
} Path;

static Node *node_of(uintptr_t link)
{
    return (Node *)without_mark(link);
}

SkipList *skiplist_new(void)
{
    SkipList *list = obtain(sizeof *list);
    for (int level = 0; level < MAX_HEIGHT; level++)
        atomic_init(&list->heads[level], 0);
    return list;
}

static Node *node_new(Key key, Word value, int height)
{
    Node *node = obtain(sizeof *node);
    node->key = key;
    node->value = value;
    node->height = height;
    atomic_init(&node->n_users, 2);
    for (int level = 0; level < MAX_HEIGHT; level++)
        atomic_init(&node->next[level], 0);
    return node;
}

int skiplist_height(Key key)
{
    unsigned bits = key * 2654435761u >> 16;
    int height = 1;
    while (height < MAX_HEIGHT && (bits & 1)) {
        height++;
        bits >>= 1;
    }
    return height;
}

/* Walks one level from `before` up to `key`, unlinking deleted nodes. False if the walk has lost its way. */
static bool walk(Link **before, int level, Key key, Node **after)
{
    uintptr_t link = **before;
    if (is_marked(link))
        return false; /* The node we stand on was deleted. */
    for (;;) {
        Node *node = node_of(link);
        if (!node) {
            *after = NULL;
            return true;
        }
        uintptr_t next = node->next[level];
        if (is_marked(next)) {
            if (!swap_link(*before, link, without_mark(next)))
                return false;
            link = without_mark(next);
            continue;
        }
        if (node->key >= key) {
            *after = node;
            return true;
        }
        *before = &node->next[level];
        link = next;
    }
}

/* The node that holds this link at `level`; null for the head. */
static Node *holder(SkipList *list, Link *link, int level)
{
    if (link == &list->heads[level])
        return NULL;
    return (Node *)((char *)link - offsetof(Node, next) - (size_t)level * sizeof(Link));
}

/* Finds the key at every level; true if it is there. */
static bool seek(SkipList *list, Key key, Path *path)
{
    for (;;) {
        Node *from = NULL; /* Where the level above ended; null is the head. */
        int level = MAX_HEIGHT - 1;
        for (; level >= 0; level--) {
            path->before[level] = from ? &from->next[level] : &list->heads[level];
            if (!walk(&path->before[level], level, key, &path->after[level]))
                break;
            from = holder(list, path->before[level], level);
        }
        if (level < 0)
            return path->after[0] && path->after[0]->key == key;
    }
}

/* One user less; the last one makes sure that the node is unlinked and lets it go. */
static void let_go(SkipList *list, int thread, Node *node)
{
    if (atomic_fetch_sub(&node->n_users, 1) == 1) {
        Path path;
        seek(list, node->key, &path);
        reclaim_retire(thread, node);
    }
}

/* Links the levels above the lowest, as long as the node is not being deleted. */
static void link_tower(SkipList *list, Node *node, Path *path)
{
#ifndef WITHOUT_SECOND_SEARCH
    /* The search may have met an older node with this key at a level above before that one was marked there. Linked behind
       the new node, it would be beyond the reach of the search that is to unlink it. By now it is marked at all levels. */
    for (int level = 1; level < node->height; level++)
        if (path->after[level] && path->after[level]->key == node->key) {
            seek(list, node->key, path);
            if (path->after[0] != node)
                return; /* Deleted meanwhile. */
            break;
        }
#endif
    for (int level = 1; level < node->height; level++) {
        for (;;) {
            uintptr_t own = node->next[level];
            if (is_marked(own))
                return;
            Node *after = path->after[level];
            if (own != (uintptr_t)after && !swap_link(&node->next[level], own, (uintptr_t)after))
                return; /* Only a mark can have come in between. */
            if (swap_link(path->before[level], (uintptr_t)after, (uintptr_t)node))
                break;
            seek(list, node->key, path);
            if (path->after[0] != node)
                return; /* Deleted meanwhile. */
        }
    }
}

bool skiplist_insert(SkipList *list, int thread, Key key, Word value, int height)
{
    Path path;
    Node *node = NULL;
    bool is_new = false;
    reclaim_begin(thread);
    while (!seek(list, key, &path)) {
        if (!node)
            node = node_new(key, value, height);
        for (int level = 0; level < height; level++)
            atomic_store(&node->next[level], (uintptr_t)path.after[level]);
        if (swap_link(path.before[0], (uintptr_t)path.after[0], (uintptr_t)node)) {
            is_new = true;
            break;
        }
    }
    if (is_new) {
        link_tower(list, node, &path);
        let_go(list, thread, node);
    } else {
        free(node);
    }
    reclaim_end(thread);
    return is_new;
}

/* Marks the link of a level; true if this call did it. */
static bool mark(Node *node, int level)
{
    for (;;) {
        uintptr_t next = node->next[level];
        if (is_marked(next))
            return false;
        if (swap_link(&node->next[level], next, with_mark(next)))
            return true;
    }
}

bool skiplist_remove(SkipList *list, int thread, Key key, Word *value)
{
    Path path;
    bool is_removed = false;
    reclaim_begin(thread);
    if (seek(list, key, &path)) {
        Node *node = path.after[0];
        for (int level = node->height - 1; level > 0; level--)
            mark(node, level);
        /* Whoever marks the lowest level has removed it. */
        if (mark(node, 0)) {
            is_removed = true;
            if (value)
                *value = node->value;
            seek(list, key, &path);
            let_go(list, thread, node);
        }
    }
    reclaim_end(thread);
    return is_removed;
}

bool skiplist_find(SkipList *list, int thread, Key key, Word *value)
{
    Path path;
    reclaim_begin(thread);
    bool is_there = seek(list, key, &path);
    if (is_there && value)
        *value = path.after[0]->value;
    reclaim_end(thread);
    return is_there;
}

bool skiplist_find_from(SkipList *list, int thread, Key from, Key *key)
{
    Path path;
    reclaim_begin(thread);
    seek(list, from, &path);
    bool is_there = path.after[0] != NULL;
    if (is_there)
        *key = path.after[0]->key;
    reclaim_end(thread);
    return is_there;
}

int skiplist_count(const SkipList *list)
{
    int n = 0;
    for (Node *node = node_of(list->heads[0]); node; node = node_of(node->next[0]))
        n++;
    return n;
}

static bool is_linked(const SkipList *list, int level, Key key)
{
    for (Node *node = node_of(list->heads[level]); node; node = node_of(node->next[level]))
        if (node->key == key)
            return true;
    return false;
}

bool skiplist_is_sound(const SkipList *list)
{
    for (int level = 0; level < MAX_HEIGHT; level++) {
        const Node *before = NULL;
        for (Node *node = node_of(list->heads[level]); node; node = node_of(node->next[level])) {
            if (before && before->key >= node->key)
                return false;
            if (is_marked(node->next[level]) || is_marked(node->next[0]) || level >= node->height)
                return false;
            if (level > 0 && !is_linked(list, level - 1, node->key))
                return false;
            before = node;
        }
    }
    return true;
}

void skiplist_free(SkipList *list)
{
    Node *node = node_of(list->heads[0]);
    while (node) {
        Node *next = node_of(node->next[0]);
        free(node);
        node = next;
    }
    free(list);
}
