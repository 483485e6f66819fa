/* Files by name: paths, and the functions that open, make and remove files. See world.h. */
#include "holding.h"

#include <stdio.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINKS 40

static struct {
    mode_t bits;
    int is_set, is_asked;
    mode_t first; /* symbolic, once it is asked for */
} mask;

WEAK int __selvedge_mask_is_set(void) { return mask.is_set; }

WEAK mode_t __selvedge_masked(mode_t mode) { return mask.is_set ? mode & ~mask.bits : mode; }

WEAK mode_t __selvedge_first_mask(void)
{
    if (!mask.is_asked) {
        mask.is_asked = 1;
        long long any;
        __selvedge_assumed("world.umask");
        __selvedge_file_input(&any, sizeof any, "file mode creation mask", 23, TIME_OF_FILE);
        mask.first = (mode_t)any & 077;
    }
    return mask.first;
}

/* Follows `length` bytes of a path from `directory`; the last name as `wanted`. */
static int walk(struct node *directory, const char *path, size_t length, enum last last, enum wanted wanted,
                int depth, struct place *place)
{
    size_t i = 0;
    if (length > 0 && path[0] == '/') {
        struct node *root = directory;
        while (root->parent != root)
            root = root->parent;
        directory = root;
    }
    *place = (struct place){.directory = directory, .node = directory};
    for (;;) {
        while (i < length && path[i] == '/')
            i++, place->needs_directory = 1;
        if (i == length)
            return 0;
        size_t start = i;
        while (i < length && path[i] != '/')
            i++;
        size_t n = i - start;
        const char *name = path + start;
        size_t rest = i;
        while (rest < length && path[rest] == '/')
            rest++;
        int is_last = rest == length;
        if (n > NAME_MAX)
            return -ENAMETOOLONG;
        if (!place->node)
            return -ENOENT;
        if (!IS(place->node, S_IFDIR))
            return -ENOTDIR;
        if (!may(place->node, X_OK))
            return -EACCES;
        directory = place->node;
        *place = (struct place){.directory = directory, .node = directory};
        if (n == 1 && name[0] == '.')
            continue;
        if (n == 2 && name[0] == '.' && name[1] == '.') {
            place->node = directory->parent;
            continue;
        }
        enum wanted here = i < length ? A_DIRECTORY : wanted;
        place->entry = __selvedge_look_up(directory, name, n, here);
        place->node = place->entry->node;
        if (place->node && IS(place->node, S_IFLNK) && (!is_last || last == FOLLOW || (last == STAY && i < length))) {
            if (depth == MAX_LINKS)
                return -ELOOP;
            struct node *link = place->node;
            int result = walk(directory, (const char *)link->data, link->size, FOLLOW, here, depth + 1, place);
            if (result < 0)
                return result;
        }
    }
}

WEAK int __selvedge_find(int at, const char *path, enum last last, enum wanted wanted, struct place *place)
{
    struct node *directory = *__selvedge_working_directory();
    size_t length = 0;
    while (path[length]) {
        if (++length >= PATH_MAX)
            return -ENAMETOOLONG;
    }
    if (length == 0)
        return -ENOENT;
    if (at != AT_FDCWD && path[0] != '/') {
        struct description *file = description_of(at);
        if (!file)
            return -EBADF;
        if (!file->node || !IS(file->node, S_IFDIR))
            return -ENOTDIR;
        directory = file->node;
    }
    int result = walk(directory, path, length, last, wanted, 0, place);
    if (result == 0 && last != NAME_ONLY && place->needs_directory && place->node && !IS(place->node, S_IFDIR))
        return -ENOTDIR;
    return result;
}

/* `/dev` is a file system of its own, in which only the system's own user changes names. */
static int is_in_dev(const struct node *directory)
{
    while (directory->parent->parent != directory->parent)
        directory = directory->parent;
    const struct entry *self = directory->self;
    return self && self->length == 3 && memcmp(self->name, "dev", 3) == 0;
}

/* A new name in its directory, for a place where there is none. */
static int add(struct place *place, struct node *node)
{
    if (!may(place->directory, W_OK) || is_in_dev(place->directory))
        return -EACCES;
    place->entry->node = node;
    node->links++;
    place->directory->changed = -1;
    if (IS(node, S_IFDIR)) {
        node->parent = place->directory;
        node->self = place->entry;
        place->directory->links++;
    }
    return 0;
}

static int take(struct place *place)
{
    if (!may(place->directory, W_OK) || is_in_dev(place->directory))
        return -EACCES;
    struct node *node = place->node;
    place->entry->node = NULL;
    node->links--;
    place->directory->changed = -1;
    if (IS(node, S_IFDIR)) {
        node->links = 0;
        node->is_open = 0;
        place->directory->links--;
    }
    return 0;
}

/* Opening. */

static int create(struct place *place, int flags, mode_t mode)
{
    if (!(flags & O_CREAT))
        return -ENOENT;
    if (place->needs_directory)
        return -EISDIR; /* a link with a slash at its end */
    if (place->directory->links == 0)
        return -ENOENT;
    int failure = FAILURE(EACCES, EMFILE, ENOSPC, EINTR);
    if (failure < 0)
        return failure;
    place->node = __selvedge_new_node(S_IFREG | (__selvedge_masked(mode) & 07777));
    place->node->is_masked = !mask.is_set && (mode & 077);
    return add(place, place->node);
}

static int check(const struct node *node, int flags)
{
    int access = flags & O_ACCMODE;
    if ((flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL))
        return -EEXIST;
    if (IS(node, S_IFLNK))
        return -ELOOP;
    if ((flags & O_DIRECTORY) && !IS(node, S_IFDIR))
        return -ENOTDIR;
    if (IS(node, S_IFDIR) && (access != O_RDONLY || (flags & (O_CREAT | O_TRUNC))))
        return -EISDIR;
    int needed = (access != O_WRONLY ? R_OK : 0) | (access != O_RDONLY || (flags & O_TRUNC) ? W_OK : 0);
    if (!may(node, needed))
        return -EACCES;
    return IS(node, S_IFSOCK) ? -ENXIO : FAILURE(EACCES, EMFILE, EINTR);
}

WEAK int __selvedge_open(int at, const char *path, int flags, mode_t mode)
{
    int access = flags & O_ACCMODE;
    /* Linux before 6.4 made a file, and then said that it was no directory. */
    if (access == O_ACCMODE || (flags & (O_CREAT | O_DIRECTORY)) == (O_CREAT | O_DIRECTORY))
        return -EINVAL;
    if ((flags & O_TMPFILE) == O_TMPFILE)
        __selvedge_unsupported("open with O_TMPFILE");
    if (flags & O_PATH)
        __selvedge_unsupported("open with O_PATH");
    int is_new = (flags & (O_CREAT | O_EXCL)) == (O_CREAT | O_EXCL);
    enum wanted wanted = is_new || !(flags & O_CREAT) ? ANYTHING : flags & O_TRUNC ? A_NEW_FILE : A_FILE;
    struct place place;
    if (flags & O_CREAT) {
        /* A slash at the end asks for a directory, which is not made this way; links are not followed to find out. */
        size_t length = 0;
        while (path[length] && length < PATH_MAX)
            length++;
        if (length > 0 && path[length - 1] == '/') {
            int result = __selvedge_find(at, path, NAME_ONLY, A_DIRECTORY, &place);
            return result < 0 ? result : place.entry ? -EISDIR : is_new ? -EEXIST : -EISDIR;
        }
    }
    int result = __selvedge_find(at, path, is_new || (flags & O_NOFOLLOW) ? STAY : FOLLOW, wanted, &place);
    if (result < 0)
        return result;
    if (place.node)
        result = check(place.node, flags);
    else
        result = create(&place, flags, mode);
    if (result < 0)
        return result;
    struct node *node = place.node;
    /* Whatever the access: POSIX leaves it open, Linux does so. */
    if ((flags & O_TRUNC) && IS(node, S_IFREG)) {
        note_use(node, 1, NULL);
        __selvedge_resize(node, 0);
    }
    const struct operations *kind = node->device ? node->device
                                    : IS(node, S_IFDIR) ? &__selvedge_directory_kind
                                                        : &__selvedge_regular_kind;
    struct description *file = __selvedge_describe(kind, flags, node);
    file->references = 1;
    return __selvedge_install(file, 0, flags & O_CLOEXEC ? FD_CLOEXEC : 0);
}

static int open_at(int at, const char *path, int flags, mode_t mode)
{
    pthread_testcancel();
    (void)*(const volatile char *)path; /* a bad pointer is noticed even if flags are bad as well */
    enter_world();
    int result = __selvedge_open(at, path, flags, mode);
    leave_world();
    return (int)outcome(result);
}

#define WITH_MODE(call)                                                                                                \
    mode_t mode = 0;                                                                                                   \
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {                                                       \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }                                                                                                                  \
    return call

WEAK int open(const char *path, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, path, flags, mode)); }
WEAK int open64(const char *path, int flags, ...) { WITH_MODE(open_at(AT_FDCWD, path, flags, mode)); }
WEAK int openat(int at, const char *path, int flags, ...) { WITH_MODE(open_at(at, path, flags, mode)); }
WEAK int openat64(int at, const char *path, int flags, ...) { WITH_MODE(open_at(at, path, flags, mode)); }

/* With _FORTIFY_SOURCE, where no mode is given: then no file may be made. */
static int open_without_mode(int at, const char *path, int flags)
{
    if (flags & (O_CREAT | __O_TMPFILE))
        abort();
    return open_at(at, path, flags, 0);
}

WEAK int __open_2(const char *path, int flags) { return open_without_mode(AT_FDCWD, path, flags); }
WEAK int __open64_2(const char *path, int flags) { return open_without_mode(AT_FDCWD, path, flags); }
WEAK int __openat_2(int at, const char *path, int flags) { return open_without_mode(at, path, flags); }
WEAK int __openat64_2(int at, const char *path, int flags) { return open_without_mode(at, path, flags); }

WEAK int creat(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
WEAK int creat64(const char *path, mode_t mode) { return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

WEAK mode_t umask(mode_t new)
{
    enter_world();
    mode_t old = mask.bits;
    if (!mask.is_set && __selvedge_result_is_used())
        old = __selvedge_first_mask();
    mask.is_set = 1;
    mask.bits = new & 0777;
    leave_world();
    return old;
}

/* Making and removing names. */

static int make(int at, const char *path, mode_t mode, const char *target)
{
    size_t length = 0;
    while (target && target[length])
        length++;
    if (target && length == 0)
        return -ENOENT;
    struct place place;
    int result = __selvedge_find(at, path, NAME_ONLY, ANYTHING, &place);
    if (result < 0)
        return result;
    if (place.node)
        return -EEXIST;
    if (place.directory->links == 0)
        return -ENOENT;
    result = FAILURE(ENOSPC);
    if (result < 0)
        return result;
    if (!target) {
        struct node *directory = __selvedge_new_directory(place.directory, __selvedge_masked(mode) & 01777, 0);
        directory->is_masked = !mask.is_set && (mode & 077);
        return add(&place, directory);
    }
    if (place.needs_directory)
        return -ENOENT;
    struct node *link = __selvedge_new_node(S_IFLNK | 0777);
    link->data = __selvedge_keep(length);
    memcpy(link->data, target, length);
    link->size = link->room = length;
    return add(&place, link);
}

/* Runs `call` as one step. */
#define STEP(call)                                                                                                     \
    enter_world();                                                                                                     \
    long long result = call;                                                                                           \
    leave_world();                                                                                                     \
    return (int)outcome(result)

WEAK int mkdir(const char *path, mode_t mode) { STEP(make(AT_FDCWD, path, mode, NULL)); }
WEAK int mkdirat(int at, const char *path, mode_t mode) { STEP(make(at, path, mode, NULL)); }
WEAK int symlink(const char *target, const char *path) { STEP(make(AT_FDCWD, path, 0, target)); }
WEAK int symlinkat(const char *target, int at, const char *path) { STEP(make(at, path, 0, target)); }

static int has_names(struct node *directory)
{
    for (struct entry *entry = directory->entries; entry; entry = entry->next) {
        if (entry->node)
            return 1;
    }
    if (directory->is_open) {
        __selvedge_assumed("world.directory-listing");
        directory->is_open = 0;
    }
    return 0;
}

static int remove_directory(int at, const char *path)
{
    struct place place;
    int result = __selvedge_find(at, path, NAME_ONLY, ANYTHING, &place);
    if (result < 0)
        return result;
    if (!place.node)
        return -ENOENT;
    if (!IS(place.node, S_IFDIR))
        return -ENOTDIR;
    size_t length = 0;
    while (path[length])
        length++;
    while (length > 1 && path[length - 1] == '/')
        length--;
    if (!place.entry) {
        int is_root = place.node->parent == place.node;
        int is_dot = path[length - 1] == '.' && (length == 1 || path[length - 2] == '/');
        return is_root ? -EBUSY : is_dot ? -EINVAL : -ENOTEMPTY;
    }
    if (has_names(place.node))
        return -ENOTEMPTY;
    result = FAILURE(EBUSY);
    return result < 0 ? result : take(&place);
}

WEAK int __selvedge_unlink(int at, const char *path, int flags)
{
    if (flags & ~AT_REMOVEDIR)
        return -EINVAL;
    if (flags & AT_REMOVEDIR)
        return remove_directory(at, path);
    struct place place;
    int result = __selvedge_find(at, path, NAME_ONLY, ANYTHING, &place);
    if (result < 0)
        return result;
    if (!place.node)
        return -ENOENT;
    if (IS(place.node, S_IFDIR))
        return -EISDIR;
    if (place.needs_directory)
        return -ENOTDIR;
    result = FAILURE(EACCES);
    return result < 0 ? result : take(&place);
}

static int remove_any(const char *path)
{
    int result = __selvedge_unlink(AT_FDCWD, path, 0);
    return result == -EISDIR ? __selvedge_unlink(AT_FDCWD, path, AT_REMOVEDIR) : result;
}

WEAK int unlink(const char *path) { STEP(__selvedge_unlink(AT_FDCWD, path, 0)); }
WEAK int unlinkat(int at, const char *path, int flags) { STEP(__selvedge_unlink(at, path, flags)); }
WEAK int rmdir(const char *path) { STEP(__selvedge_unlink(AT_FDCWD, path, AT_REMOVEDIR)); }
WEAK int remove(const char *path) { STEP(remove_any(path)); }

static int link_to(int at, const char *from, int to_at, const char *to, int flags)
{
    if (flags & ~AT_SYMLINK_FOLLOW)
        return -EINVAL;
    struct place old, new;
    int result = __selvedge_find(at, from, flags & AT_SYMLINK_FOLLOW ? FOLLOW : STAY, ANYTHING, &old);
    if (result < 0)
        return result;
    if (!old.node)
        return -ENOENT;
    result = __selvedge_find(to_at, to, NAME_ONLY, ANYTHING, &new);
    if (result < 0)
        return result;
    if (new.node)
        return -EEXIST;
    if (new.needs_directory)
        return -ENOENT;
    if (is_in_dev(old.directory) != is_in_dev(new.directory))
        return -EXDEV;
    if (new.directory->links == 0)
        return -ENOENT;
    if (IS(old.node, S_IFDIR))
        return -EPERM;
    result = FAILURE(ENOSPC);
    return result < 0 ? result : add(&new, old.node);
}

WEAK int link(const char *from, const char *to) { STEP(link_to(AT_FDCWD, from, AT_FDCWD, to, 0)); }
WEAK int linkat(int at, const char *from, int to_at, const char *to, int flags)
{
    STEP(link_to(at, from, to_at, to, flags));
}

static int is_inside(const struct node *directory, const struct node *other)
{
    for (; directory != other; directory = directory->parent) {
        if (directory->parent == directory)
            return 0;
    }
    return 1;
}

static int rename_to(int at, const char *from, int to_at, const char *to, unsigned flags)
{
    if (flags & ~RENAME_NOREPLACE)
        __selvedge_unsupported("renameat2 with these flags");
    struct place old, new;
    int result = __selvedge_find(at, from, NAME_ONLY, ANYTHING, &old);
    if (result < 0)
        return result;
    int is_directory = old.node && IS(old.node, S_IFDIR);
    /* Whether an unknown file is there makes no difference: it would be replaced. */
    result = __selvedge_find(to_at, to, NAME_ONLY, is_directory || flags ? ANYTHING : A_NEW_FILE, &new);
    if (result < 0)
        return result;
    if (is_in_dev(old.directory) != is_in_dev(new.directory))
        return -EXDEV;
    if (!old.entry)
        return -EBUSY;
    if (!new.entry)
        return flags ? -EEXIST : -EBUSY;
    if (!old.node)
        return -ENOENT;
    if (!is_directory && (old.needs_directory || new.needs_directory))
        return -ENOTDIR;
    if (is_directory && is_inside(new.directory, old.node))
        return -EINVAL;
    if (new.node && IS(new.node, S_IFDIR) && is_inside(old.directory, new.node))
        return -ENOTEMPTY;
    if (new.node == old.node)
        return flags ? -EEXIST : 0;
    if (new.node) {
        if (flags)
            return -EEXIST;
        if (is_directory != IS(new.node, S_IFDIR))
            return is_directory ? -ENOTDIR : -EISDIR;
        if (is_directory && has_names(new.node))
            return -ENOTEMPTY;
    } else if (new.directory->links == 0) {
        return -ENOENT;
    }
    result = FAILURE(EXDEV);
    if (result == 0 && new.node)
        result = take(&new);
    if (result < 0)
        return result;
    struct node *node = old.node;
    unsigned links = node->links;
    int is_open = node->is_open;
    result = take(&old);
    if (result < 0)
        return result;
    result = add(&new, node);
    node->links = links;
    node->is_open = is_open;
    return result;
}

WEAK int rename(const char *from, const char *to) { STEP(rename_to(AT_FDCWD, from, AT_FDCWD, to, 0)); }
WEAK int renameat(int at, const char *from, int to_at, const char *to) { STEP(rename_to(at, from, to_at, to, 0)); }
WEAK int renameat2(int at, const char *from, int to_at, const char *to, unsigned flags)
{
    STEP(rename_to(at, from, to_at, to, flags));
}

static int resize(const char *path, long long size)
{
    if (size < 0)
        return -EINVAL;
    struct place place;
    int result = __selvedge_find(AT_FDCWD, path, FOLLOW, ANYTHING, &place);
    if (result < 0)
        return result;
    if (!place.node)
        return -ENOENT;
    if (IS(place.node, S_IFDIR))
        return -EISDIR;
    if (!IS(place.node, S_IFREG))
        return -EINVAL;
    if (!may(place.node, W_OK))
        return -EACCES;
    result = FAILURE(EIO);
    if (result < 0)
        return result;
    note_use(place.node, 1, NULL);
    return __selvedge_resize(place.node, size);
}

WEAK int truncate(const char *path, off_t size) { STEP(resize(path, size)); }
WEAK int truncate64(const char *path, off64_t size) { STEP(resize(path, size)); }
