/* A sorted list without locks; see list.h. */
#include "list.h"
#include "reclaim.h"

typedef struct Node {
    Link next;
    Key key;
    Word value;
} Node;

struct List {
    Link head;
};

/* A place in the list: the link before, and the first node whose key is not smaller. */
typedef struct {
    Link *before;
    Node *node;
    /* The node's link as it was seen; never marked. */
    uintptr_t next;
} Place;

static Node *node_of(uintptr_t link)
{
    return (Node *)without_mark(link);
}

List *list_new(void)
{
    List *list = obtain(sizeof *list);
    atomic_init(&list->head, 0);
    return list;
}

static Node *node_new(Key key, Word value)
{
    Node *node = obtain(sizeof *node);
    atomic_init(&node->next, 0);
    node->key = key;
    node->value = value;
    return node;
}

/* Finds the place of a key, and unlinks every deleted node on the way. True if the key is there. */
static bool seek(List *list, int thread, Key key, Place *place)
{
    for (;;) {
        Link *before = &list->head;
        uintptr_t link = *before;
        bool is_lost = false;
        while (!is_lost) {
            Node *node = node_of(link);
            if (!node) {
                *place = (Place){before, NULL, 0};
                return false;
            }
            reclaim_protect(thread, 0, node);
            if (*before != link)
                break;
            uintptr_t next = node->next;
            if (is_marked(next)) {
                /* Deleted: unlink it, or begin anew if the list has changed here. */
                if (swap_link(before, link, without_mark(next))) {
                    reclaim_retire(thread, node);
                    link = without_mark(next);
                } else {
                    is_lost = true;
                }
                continue;
            }
            if (node->key >= key) {
                *place = (Place){before, node, next};
                return node->key == key;
            }
            reclaim_protect(thread, 1, node);
            before = &node->next;
            link = next;
        }
    }
}

bool list_insert(List *list, int thread, Key key, Word value)
{
    Node *node = node_new(key, value);
    Place place;
    bool is_new = false;
    reclaim_begin(thread);
    while (!seek(list, thread, key, &place)) {
        node->next = (uintptr_t)place.node;
        if (swap_link(place.before, (uintptr_t)place.node, (uintptr_t)node)) {
            is_new = true;
            break;
        }
    }
    reclaim_end(thread);
    if (!is_new)
        free(node);
    return is_new;
}

bool list_remove(List *list, int thread, Key key, Word *value)
{
    Place place;
    bool is_removed = false;
    reclaim_begin(thread);
    while (!is_removed && seek(list, thread, key, &place)) {
        Node *node = place.node;
        Word was = node->value;
        if (!swap_link(&node->next, place.next, with_mark(place.next)))
            continue;
        is_removed = true;
        if (value)
            *value = was;
        if (swap_link(place.before, (uintptr_t)node, place.next))
            reclaim_retire(thread, node);
        else
            seek(list, thread, key, &place); /* Somebody has to unlink it. */
    }
    reclaim_end(thread);
    return is_removed;
}

bool list_find(List *list, int thread, Key key, Word *value)
{
    Place place;
    reclaim_begin(thread);
    bool is_there = seek(list, thread, key, &place);
    if (is_there && value)
        *value = place.node->value;
    reclaim_end(thread);
    return is_there;
}

bool list_remove_first(List *list, int thread, Key *key, Word *value)
{
    Place place;
    for (;;) {
        reclaim_begin(thread);
        seek(list, thread, 0, &place);
        Node *node = place.node;
        if (!node) {
            reclaim_end(thread);
            return false;
        }
        Key first = node->key;
        reclaim_end(thread);
        if (list_remove(list, thread, first, value)) {
            *key = first;
            return true;
        }
    }
}

int list_count(const List *list)
{
    int n = 0;
    for (Node *node = node_of(list->head); node; node = node_of(node->next))
        n += !is_marked(node->next);
    return n;
}

bool list_is_sound(const List *list)
{
    const Node *before = NULL;
    for (Node *node = node_of(list->head); node; node = node_of(node->next)) {
        if (is_marked(node->next) || (before && before->key >= node->key))
            return false;
        before = node;
    }
    return true;
}

void list_free(List *list)
{
    Node *node = node_of(list->head);
    while (node) {
        Node *next = node_of(node->next);
        free(node);
        node = next;
    }
    free(list);
}
