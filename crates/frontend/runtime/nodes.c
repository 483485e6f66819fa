/* Files and directories apart from their names, and the world as the program finds it. See world.h.
 *
 * A name that the program looks up and that nobody has mentioned is absent or a regular file with few bytes, decided once
 * for each name; size and content are inputs that matter only as far as the program looks at them.
 */
#include "world.h"

#include <string.h>
#include <unistd.h>

/* Where the program starts. */
#define HOME "home/user"

static struct node *root, *working;
static unsigned long long n_nodes = 2;
static long bound; /* of a file that nobody has mentioned; below 0: there is none */

WEAK struct node *__selvedge_new_node(mode_t mode)
{
    struct node *node = __selvedge_keep(sizeof *node);
    node->mode = mode;
    node->number = ++n_nodes;
    node->changed = -1;
    return node;
}

WEAK struct entry *__selvedge_link(struct node *directory, const char *name, size_t length, struct node *node)
{
    struct entry *entry = __selvedge_keep(sizeof *entry + length + 1);
    memcpy(entry->name, name, length);
    entry->length = length;
    entry->node = node;
    *directory->last_entry = entry;
    directory->last_entry = &entry->next;
    if (node)
        node->links++;
    return entry;
}

WEAK struct node *__selvedge_new_directory(struct node *parent, mode_t mode, int is_open)
{
    struct node *node = __selvedge_new_node(S_IFDIR | mode);
    node->parent = parent ? parent : node;
    node->last_entry = &node->entries;
    node->is_open = is_open;
    node->links = 1;
    return node;
}

/* The path of a name from the root, or from where the program starts. */

WEAK size_t __selvedge_path(const struct node *directory, char *to, size_t size)
{
    if (directory == directory->parent)
        return 0;
    size_t n = __selvedge_path(directory->parent, to, size);
    if (n < size)
        to[n] = '/';
    n++;
    for (size_t i = 0; i < directory->self->length; i++, n++) {
        if (n < size)
            to[n] = directory->self->name[i];
    }
    return n;
}

/* An input about a name. */
static void ask(struct node *directory, const struct entry *entry, void *to, size_t size, enum role role)
{
    size_t before = __selvedge_path(directory, NULL, 0);
    char path[before + 1 + entry->length];
    __selvedge_path(directory, path, before);
    path[before] = '/';
    memcpy(path + before + 1, entry->name, entry->length);
    static const char home[] = "/" HOME "/";
    size_t skip = 0;
    while (skip < sizeof home - 1 && skip < before + 1 && path[skip] == home[skip])
        skip++;
    if (skip < sizeof home - 1)
        skip = 0;
    __selvedge_file_input(to, size, path + skip, before + 1 + entry->length - skip, role);
}

/* What can be appended to a file of any length before the length matters. */
#define SPARE 48

/* A regular file of any content and any length up to a bound. */
static struct node *any_file(struct node *directory, const struct entry *entry, size_t most)
{
    struct node *node = __selvedge_new_node(S_IFREG | 0644);
    unsigned length = 0;
    if (most > 0) {
        ask(directory, entry, &length, sizeof length, LENGTH_OF_FILE);
        __VERIFIER_assume(length <= most);
        node->room = most + SPARE;
        node->data = __selvedge_keep(node->room);
        node->has_any_size = 1;
        ask(directory, entry, node->data, most, CONTENT_OF_FILE);
    }
    node->size = length;
    return node;
}

/* Decides what an unknown name is. */
static void decide(struct node *directory, struct entry *entry, enum wanted wanted)
{
    if (wanted == A_NEW_FILE)
        return; /* nothing depends on it */
    if (bound < 0)
        __selvedge_assumed("world.task");
    if (!directory->is_open)
        return;
    __selvedge_assumed("world.file-bound");
    /* A second bit: it is no directory although one is wanted. The name may be used as a file later. */
    unsigned char exists = 1;
    if (wanted != A_FILE) {
        ask(directory, entry, &exists, 1, EXISTENCE_OF_FILE);
        __VERIFIER_assume(wanted == A_DIRECTORY ? exists <= 3 : exists <= 1);
        if (!(exists & 1))
            return;
    }
    if (wanted == A_DIRECTORY && !(exists & 2)) {
        entry->node = __selvedge_new_directory(directory, 0755, 1);
        entry->node->self = entry;
    } else {
        entry->node = any_file(directory, entry, (size_t)bound);
    }
    entry->node->links++;
}

static int is_named(const struct entry *entry, const char *name, size_t length)
{
    if (entry->length != length)
        return 0;
    unsigned char differs = 0;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(entry->name[i] ^ name[i]);
    return differs == 0;
}

WEAK struct entry *__selvedge_look_up(struct node *directory, const char *name, size_t length, enum wanted wanted)
{
    for (struct entry *entry = directory->entries; entry; entry = entry->next) {
        if (is_named(entry, name, length))
            return entry;
    }
    struct entry *entry = __selvedge_link(directory, name, length, NULL);
    decide(directory, entry, wanted);
    return entry;
}

/* The world at the start. */

static struct node *make_directory(struct node *parent, const char *name, size_t length, mode_t mode, int is_open)
{
    struct node *node = __selvedge_new_directory(parent, mode, is_open);
    node->self = __selvedge_link(parent, name, length, node);
    return node;
}

/* The directory of a path whose directories are made as needed; `*name` becomes the rest. */
static struct node *make_parents(struct node *from, const char **name, size_t *length)
{
    for (;;) {
        while (*length > 0 && **name == '/')
            ++*name, --*length;
        size_t n = 0;
        while (n < *length && (*name)[n] != '/')
            n++;
        if (n == *length)
            return from;
        struct node *next = NULL;
        for (struct entry *entry = from->entries; entry && !next; entry = entry->next) {
            if (is_named(entry, *name, n))
                next = entry->node;
        }
        if (!next)
            next = make_directory(from, *name, n, 0755, from->is_open);
        from = next;
        *name += n;
        *length -= n;
    }
}

static void give_file(long number)
{
    size_t length = (size_t)__selvedge_world(LENGTH_OF_NAME, number);
    char text[length];
    __selvedge_world_bytes(text, length, LENGTH_OF_NAME, number);
    const char *name = text;
    struct node *directory = make_parents(text[0] == '/' ? root : working, &name, &length);
    struct entry *entry = __selvedge_link(directory, name, length, NULL);
    size_t size = (size_t)__selvedge_world(SIZE_OF_FILE, number);
    if (__selvedge_world(IS_SYMBOLIC, number)) {
        entry->node = any_file(directory, entry, size);
    } else {
        entry->node = __selvedge_new_node(S_IFREG | 0644);
        if (size > 0) {
            entry->node->data = __selvedge_keep(size);
            entry->node->size = entry->node->room = size;
            __selvedge_world_bytes(entry->node->data, size, SIZE_OF_FILE, number);
        }
    }
    entry->node->links++;
}

static void give_device(struct node *directory, const char *name, size_t length, const struct operations *kind)
{
    struct node *node = __selvedge_new_node(S_IFCHR | 0666);
    node->device = kind;
    __selvedge_link(directory, name, length, node);
}

extern const struct operations __selvedge_null_kind, __selvedge_zero_kind, __selvedge_random_kind;

static void start(void)
{
    bound = __selvedge_world(BOUND_OF_FILES, 0);
    int is_open = bound > 0;
    root = __selvedge_new_directory(NULL, 0755, is_open);
    root->links = 2;
    struct node *home = make_directory(root, "home", 4, 0755, is_open);
    working = make_directory(home, "user", 4, 0755, is_open);
    make_directory(root, "tmp", 3, 0777, is_open);
    struct node *devices = make_directory(root, "dev", 3, 0755, is_open);
    give_device(devices, "null", 4, &__selvedge_null_kind);
    give_device(devices, "zero", 4, &__selvedge_zero_kind);
    give_device(devices, "random", 6, &__selvedge_random_kind);
    give_device(devices, "urandom", 7, &__selvedge_random_kind);
    long n = __selvedge_world(N_FILES, 0);
    for (long i = 0; i < n; i++)
        give_file(i);
}

WEAK struct node **__selvedge_working_directory(void)
{
    if (!root)
        start();
    return &working;
}

/* Content. */

/* No file of the model grows beyond this. */
#define MAX_FILE (1 << 24)

WEAK int __selvedge_grow(struct node *node, long long size)
{
    if (size <= (long long)node->room)
        return 0;
    if (size > MAX_FILE)
        __selvedge_unsupported("a file of more than 16 MiB");
    size_t room = node->room ? node->room : 64;
    while ((long long)room < size)
        room *= 2;
    unsigned char *data = __selvedge_keep(room);
    if (node->room > 0)
        memcpy(data, node->data, node->room);
    node->data = data;
    node->room = room;
    return 0;
}

/* Bytes between the old size and the new one are zero: what lies behind the end is not always. */
WEAK int __selvedge_resize(struct node *node, long long size)
{
    int result = __selvedge_grow(node, size);
    if (result < 0)
        return result;
    if (size > (long long)node->size)
        memset(node->data + node->size, 0, (size_t)size - node->size);
    node->size = (size_t)size;
    node->changed = -1;
    return 0;
}

WEAK void __selvedge_facts(const struct node *node, struct facts *facts)
{
    facts->mode = node->is_masked ? node->mode & ~__selvedge_first_mask() : node->mode;
    facts->number = node->number;
    facts->links = node->links;
    facts->device = 1;
    facts->size = (long long)node->size;
    facts->changed = node->changed;
}
