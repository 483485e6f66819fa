/* search.h: linear search, binary trees, one hash table, and linked queues.
 *
 * The tree is not balanced as glibc's is, so a walk may tell other depths; the order of keys is the same. Keys are
 * compared in the order in which POSIX has them: the wanted one first.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

static void *find(const void *key, const void *base, size_t n, size_t size, __compar_fn_t compare)
{
    for (size_t i = 0; i < n; i++)
        if (compare(key, (const char *)base + i * size) == 0)
            return (char *)base + i * size;
    return NULL;
}

WEAK void *lfind(const void *key, const void *base, size_t *n, size_t size, __compar_fn_t compare)
{
    return find(key, base, *n, size, compare);
}

WEAK void *lsearch(const void *key, void *base, size_t *n, size_t size, __compar_fn_t compare)
{
    void *found = find(key, base, *n, size, compare);
    if (!found) {
        found = memcpy((char *)base + *n * size, key, size);
        ++*n;
    }
    return found;
}

/* The key comes first: programs read it through a pointer to the node. */
struct node {
    const void *key;
    struct node *left, *right;
};

/* The place where the key is or would be. */
static struct node **place(const void *key, struct node **at, __compar_fn_t compare)
{
    while (*at) {
        int order = compare(key, (*at)->key);
        if (order == 0)
            break;
        at = order < 0 ? &(*at)->left : &(*at)->right;
    }
    return at;
}

WEAK void *tfind(const void *key, void *const *root, __compar_fn_t compare)
{
    return root ? *place(key, (struct node **)root, compare) : NULL;
}

WEAK void *tsearch(const void *key, void **root, __compar_fn_t compare)
{
    if (!root)
        return NULL;
    struct node **at = place(key, (struct node **)root, compare);
    if (!*at) {
        *at = malloc(sizeof **at);
        if (*at)
            **at = (struct node){key, NULL, NULL};
    }
    return *at;
}

/* The parent of the node that was removed; POSIX says nothing of the root's, which gets some pointer. */
WEAK void *tdelete(const void *restrict key, void **restrict root, __compar_fn_t compare)
{
    if (!root || !*root)
        return NULL;
    struct node *parent = *root, **at = (struct node **)root;
    for (;;) {
        int order = compare(key, (*at)->key);
        if (order == 0)
            break;
        parent = *at;
        at = order < 0 ? &parent->left : &parent->right;
        if (!*at)
            return NULL;
    }
    struct node *gone = *at;
    if (!gone->left || !gone->right) {
        *at = gone->left ? gone->left : gone->right;
    } else {
        struct node **next = &gone->right;
        while ((*next)->left)
            next = &(*next)->left;
        struct node *heir = *next;
        *next = heir->right;
        heir->left = gone->left;
        heir->right = gone->right;
        *at = heir;
    }
    int was_parent = parent == gone;
    free(gone);
    return was_parent ? (void *)root : parent;
}

static void walk(const struct node *node, void (*action)(const void *, VISIT, int), int depth)
{
    if (!node)
        return;
    if (!node->left && !node->right) {
        action(node, leaf, depth);
        return;
    }
    action(node, preorder, depth);
    walk(node->left, action, depth + 1);
    action(node, postorder, depth);
    walk(node->right, action, depth + 1);
    action(node, endorder, depth);
}

WEAK void twalk(const void *root, void (*action)(const void *, VISIT, int))
{
    if (action)
        walk(root, action, 0);
}

static void destroy(struct node *node, void (*release)(void *))
{
    if (!node)
        return;
    destroy(node->left, release);
    destroy(node->right, release);
    release((void *)node->key);
    free(node);
}

WEAK void tdestroy(void *root, void (*release)(void *)) { destroy(root, release); }

/* One table for the program; entries are looked for in the order in which they came. */
static ENTRY *entries;
static size_t n_entries, room;

WEAK int hcreate(size_t size)
{
    if (entries) {
        errno = 0;
        return 0;
    }
    /* glibc takes the next odd prime, at least 3. */
    room = size < 3 ? 3 : size;
    entries = malloc(room * sizeof *entries);
    n_entries = 0;
    return entries != NULL;
}

WEAK void hdestroy(void)
{
    free(entries);
    entries = NULL;
}

static int is_same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

WEAK ENTRY *hsearch(ENTRY item, ACTION action)
{
    if (!entries) {
        errno = EINVAL;
        return NULL;
    }
    for (size_t i = 0; i < n_entries; i++)
        if (is_same(entries[i].key, item.key))
            return &entries[i];
    if (action == FIND) {
        errno = ESRCH;
        return NULL;
    }
    if (n_entries == room) {
        /* How many more fit than were asked for is the library's business. */
        __selvedge_unsupported("hsearch in a full table");
    }
    entries[n_entries] = item;
    return &entries[n_entries++];
}

struct link {
    struct link *next, *before;
};

WEAK void insque(void *element, void *after)
{
    struct link *added = element, *list = after;
    if (!list) {
        added->next = added->before = NULL;
        return;
    }
    added->next = list->next;
    added->before = list;
    if (list->next)
        list->next->before = added;
    list->next = added;
}

WEAK void remque(void *element)
{
    struct link *gone = element;
    if (gone->next)
        gone->next->before = gone->before;
    if (gone->before)
        gone->before->next = gone->next;
}
