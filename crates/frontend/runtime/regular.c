/* Open regular files and directories. See world.h. */
#include "holding.h"

#include <string.h>
#include <unistd.h>

/* At a symbolic place, bytes are moved one by one: a copy of many would be split over all places. */
static void move(unsigned char *to, const unsigned char *from, size_t size, const struct node *node)
{
    if (!node->has_any_size) {
        memcpy(to, from, size);
        return;
    }
    for (size_t i = 0; i < size; i++)
        to[i] = from[i];
}

static ssize_t regular_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    struct node *node = file->node;
    long long from = *at;
    size_t n = 0;
    if (size == 0 || from >= (long long)node->size)
        return 0;
    if (size <= node->room && from + (long long)size <= (long long)node->size) {
        move(to, node->data + from, size, node);
        n = size;
    } else {
        /* The size may be symbolic: one decision for each byte. */
        while (n < size && from + (long long)n < (long long)node->room && from + (long long)n < (long long)node->size) {
            to[n] = node->data[from + (long long)n];
            n++;
        }
    }
    *at = from + (long long)n;
    return (ssize_t)n;
}

static ssize_t regular_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    struct node *node = file->node;
    if (size == 0)
        return 0;
    long long to = file->flags & O_APPEND ? (long long)node->size : *at;
    long long end = to + (long long)size;
    if (to > (long long)node->size) {
        int result = __selvedge_resize(node, to);
        if (result < 0)
            return result;
    }
    int result = __selvedge_grow(node, end);
    if (result < 0)
        return result;
    move(node->data + to, from, size, node);
    if (end > (long long)node->size)
        node->size = (size_t)end;
    node->changed = -1;
    *at = end;
    return (ssize_t)size;
}

static long long regular_end(struct description *file)
{
    note_use(file->node, 0, NULL);
    return (long long)file->node->size;
}

static int node_facts(struct description *file, struct facts *facts)
{
    note_use(file->node, 0, NULL);
    __selvedge_facts(file->node, facts);
    return 0;
}

static int regular_resize(struct description *file, long long size)
{
    note_use(file->node, 1, NULL);
    return __selvedge_resize(file->node, size);
}

static ssize_t is_directory(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)file, (void)to, (void)size, (void)at;
    return -EISDIR;
}

static long long directory_end(struct description *file) { return (void)file, 0; }

WEAK const struct operations __selvedge_regular_kind = {
    .read = regular_read,
    .write = regular_write,
    .end = regular_end,
    .facts = node_facts,
    .resize = regular_resize,
};

WEAK const struct operations __selvedge_directory_kind = {
    .read = is_directory,
    .end = directory_end,
    .facts = node_facts,
};
