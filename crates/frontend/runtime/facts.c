/* What is known about files: stat, access, chmod, and their relatives. See world.h. */
#include "holding.h"

#include <string.h>
#include <unistd.h>
#include <utime.h>

/* The node that `fstatat` and `access` mean. */
static int look(int at, const char *path, int flags, struct node **node, struct description **file)
{
    *node = NULL;
    *file = NULL;
    if ((flags & AT_EMPTY_PATH) && path[0] == 0 && at != AT_FDCWD) {
        *file = description_of(at);
        return *file ? 0 : -EBADF;
    }
    struct place place;
    int result = __selvedge_find(at, path, flags & AT_SYMLINK_NOFOLLOW ? STAY : FOLLOW, ANYTHING, &place);
    if (result < 0)
        return result;
    *node = place.node;
    return place.node ? 0 : -ENOENT;
}

/* When a file was changed is open. */
static void settle_time(struct node *node)
{
    if (node->changed >= 0)
        return;
    long long at;
    __selvedge_file_input(&at, sizeof at, "time of a file", 14, TIME_OF_FILE);
    __VERIFIER_assume((at >= 0) & (at < 1LL << 32));
    node->changed = at;
}

static int facts_of_node(struct node *node, struct facts *facts)
{
    settle_time(node);
    note_use(node, 0, NULL);
    __selvedge_facts(node, facts);
    return 0;
}

static int facts_of_file(struct description *file, struct facts *facts)
{
    if (!file)
        return -EBADF;
    if (!file->kind->facts)
        __selvedge_unsupported("fstat of this kind of file");
    if (file->node)
        settle_time(file->node);
    return file->kind->facts(file, facts);
}

static int facts_at(int at, const char *path, int flags, struct facts *facts)
{
    if (flags & ~(AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH | AT_NO_AUTOMOUNT))
        return -EINVAL;
    struct node *node;
    struct description *file;
    int result = look(at, path, flags, &node, &file);
    if (result < 0)
        return result;
    return node ? facts_of_node(node, facts) : facts_of_file(file, facts);
}

#define FILL(to, facts)                                                                                                \
    do {                                                                                                               \
        memset(to, 0, sizeof *(to));                                                                                   \
        (to)->st_dev = (facts).device;                                                                                 \
        (to)->st_ino = (facts).number;                                                                                 \
        (to)->st_mode = (facts).mode;                                                                                  \
        (to)->st_nlink = (facts).links;                                                                                \
        (to)->st_uid = 1000;                                                                                           \
        (to)->st_gid = 1000;                                                                                           \
        (to)->st_size = (facts).size;                                                                                  \
        (to)->st_blksize = 4096;                                                                                       \
        (to)->st_blocks = ((facts).size + 511) / 512;                                                                  \
        (to)->st_atim.tv_sec = (to)->st_mtim.tv_sec = (to)->st_ctim.tv_sec = (facts).changed;                          \
    } while (0)

/* Asks in one step, then writes to the program's object. Of its numbers, type, permissions and size mean something. */
#define TELL(to, call)                                                                                                 \
    struct facts facts = {0};                                                                                          \
    enter_world();                                                                                                     \
    int result = call;                                                                                                 \
    leave_world();                                                                                                     \
    if (result == 0)                                                                                                   \
        __selvedge_assumed("world.file-facts");                                                                        \
    if (result == 0)                                                                                                   \
        FILL(to, facts);                                                                                               \
    return (int)outcome(result)

WEAK int stat(const char *restrict path, struct stat *restrict to) { TELL(to, facts_at(AT_FDCWD, path, 0, &facts)); }
WEAK int stat64(const char *restrict path, struct stat64 *restrict to)
{
    TELL(to, facts_at(AT_FDCWD, path, 0, &facts));
}
WEAK int lstat(const char *restrict path, struct stat *restrict to)
{
    TELL(to, facts_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &facts));
}
WEAK int lstat64(const char *restrict path, struct stat64 *restrict to)
{
    TELL(to, facts_at(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, &facts));
}
WEAK int fstat(int number, struct stat *to) { TELL(to, facts_of_file(description_of(number), &facts)); }
WEAK int fstat64(int number, struct stat64 *to) { TELL(to, facts_of_file(description_of(number), &facts)); }
WEAK int fstatat(int at, const char *restrict path, struct stat *restrict to, int flags)
{
    TELL(to, facts_at(at, path, flags, &facts));
}
WEAK int fstatat64(int at, const char *restrict path, struct stat64 *restrict to, int flags)
{
    TELL(to, facts_at(at, path, flags, &facts));
}

#define STEP(call)                                                                                                     \
    enter_world();                                                                                                     \
    long long result = call;                                                                                           \
    leave_world();                                                                                                     \
    return (int)outcome(result)

/* Directories that every program finds: an ordinary user may not change most of them, but here he may. */
static void use(const struct node *node)
{
    if (IS(node, S_IFDIR) && node->parent->parent == node->parent)
        __selvedge_assumed("world.file-bound");
}

static int permits(int at, const char *path, int mode, int flags)
{
    if ((mode & ~(R_OK | W_OK | X_OK)) || (flags & ~(AT_EACCESS | AT_SYMLINK_NOFOLLOW)))
        return -EINVAL;
    struct node *node;
    struct description *file;
    int result = look(at, path, flags, &node, &file);
    if (result < 0)
        return result;
    if (mode & W_OK)
        use(node);
    return may(node, mode) ? 0 : -EACCES;
}

WEAK int access(const char *path, int mode) { STEP(permits(AT_FDCWD, path, mode, 0)); }
WEAK int euidaccess(const char *path, int mode) { STEP(permits(AT_FDCWD, path, mode, 0)); }
WEAK int eaccess(const char *path, int mode) { STEP(permits(AT_FDCWD, path, mode, 0)); }
WEAK int faccessat(int at, const char *path, int mode, int flags) { STEP(permits(at, path, mode, flags)); }

static int permit(struct node *node, mode_t mode)
{
    if (node->device)
        return -EPERM;
    use(node);
    node->mode = (node->mode & S_IFMT) | (mode & 07777);
    node->is_masked = 0;
    return 0;
}

static int permit_at(int at, const char *path, mode_t mode, int flags)
{
    if (flags & ~AT_SYMLINK_NOFOLLOW)
        return -EINVAL;
    struct node *node;
    struct description *file;
    int result = look(at, path, flags, &node, &file);
    if (result < 0)
        return result;
    return IS(node, S_IFLNK) ? -EOPNOTSUPP : permit(node, mode);
}

static int permit_open(int number, mode_t mode)
{
    struct description *file = description_of(number);
    if (!file)
        return -EBADF;
    if (!file->node)
        __selvedge_unsupported("fchmod of something that is no file");
    return permit(file->node, mode);
}

WEAK int chmod(const char *path, mode_t mode) { STEP(permit_at(AT_FDCWD, path, mode, 0)); }
WEAK int fchmodat(int at, const char *path, mode_t mode, int flags) { STEP(permit_at(at, path, mode, flags)); }
WEAK int fchmod(int number, mode_t mode) { STEP(permit_open(number, mode)); }

/* Only the system's own user may give a file away; a file's user may leave it as it is. */
static int own(const struct node *node, uid_t user, gid_t group)
{
    (void)node;
    return (user == 1000 || user == (uid_t)-1) && (group == 1000 || group == (gid_t)-1) ? 0 : -EPERM;
}

static int own_at(int at, const char *path, uid_t user, gid_t group, int flags)
{
    struct node *node;
    struct description *file;
    int result = look(at, path, flags, &node, &file);
    return result < 0 ? result : own(node, user, group);
}

static int own_open(int number, uid_t user, gid_t group)
{
    struct description *file = description_of(number);
    return file ? own(file->node, user, group) : -EBADF;
}

WEAK int chown(const char *path, uid_t user, gid_t group) { STEP(own_at(AT_FDCWD, path, user, group, 0)); }
WEAK int lchown(const char *path, uid_t user, gid_t group)
{
    STEP(own_at(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW));
}
WEAK int fchown(int number, uid_t user, gid_t group) { STEP(own_open(number, user, group)); }

static int touch(const char *path, const struct utimbuf *times)
{
    struct node *node;
    struct description *file;
    int result = look(AT_FDCWD, path, 0, &node, &file);
    if (result == 0) {
        note_use(node, 0, NULL);
        node->changed = times ? times->modtime : -1;
    }
    return result;
}

WEAK int utime(const char *path, const struct utimbuf *times) { STEP(touch(path, times)); }

static ssize_t read_link(int at, const char *path, char *to, size_t size)
{
    if (size == 0)
        return -EINVAL;
    __selvedge_must_fit(to, size);
    struct node *node;
    struct description *file;
    int result = look(at, path, AT_SYMLINK_NOFOLLOW, &node, &file);
    if (result < 0)
        return result;
    if (!IS(node, S_IFLNK))
        return -EINVAL;
    size_t n = node->size < size ? node->size : size;
    memcpy(to, node->data, n);
    return (ssize_t)n;
}

WEAK ssize_t readlink(const char *restrict path, char *restrict to, size_t size)
{
    STEP(read_link(AT_FDCWD, path, to, size));
}
WEAK ssize_t readlinkat(int at, const char *restrict path, char *restrict to, size_t size)
{
    STEP(read_link(at, path, to, size));
}
