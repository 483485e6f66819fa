/* Directories: listing them, the working directory, and names made of paths. See world.h. */
#include "world.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What `DIR` is. A name that is removed stays in the list of its directory, so a place in it stays good. */
struct __dirstream {
    int descriptor;
    struct node *node;
    struct entry *next;
    long position; /* 0 and 1 are `.` and `..` */
    struct dirent entry;
    struct dirent64 entry64;
    char in_use;
};

/* Nothing is in a directory but what was mentioned: whoever lists it learns that, and an order. */
static void close_list(struct node *node)
{
    __selvedge_assumed("world.directory-listing");
    node->is_open = 0;
}

static DIR *list(int number, int *error)
{
    struct description *file = description_of(number);
    if (!file || !file->node || !IS(file->node, S_IFDIR)) {
        *error = file ? -ENOTDIR : -EBADF;
        return NULL;
    }
    DIR *directory = malloc(sizeof *directory);
    if (!directory) {
        *error = -ENOMEM;
        return NULL;
    }
    close_list(file->node);
    directory->descriptor = number;
    directory->node = file->node;
    directory->next = file->node->entries;
    directory->position = 0;
    return directory;
}

WEAK DIR *opendir(const char *path)
{
    enter_world();
    int number = __selvedge_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    int error = number;
    DIR *directory = number < 0 ? NULL : list(number, &error);
    if (!directory && number >= 0)
        __selvedge_drop(number);
    leave_world();
    if (!directory)
        outcome(error);
    return directory;
}

WEAK DIR *fdopendir(int number)
{
    enter_world();
    int error = 0;
    DIR *directory = list(number, &error);
    leave_world();
    if (!directory)
        outcome(error);
    return directory;
}

static int type_of(const struct node *node) { return (int)((node->mode & S_IFMT) >> 12); }

static struct entry special[2] = {{.length = 1}, {.length = 2}};

/* The next name, NULL at the end. */
static const struct entry *next(DIR *directory, struct node **node)
{
    if (directory->position < 2) {
        struct entry *entry = &special[directory->position];
        *node = directory->position == 0 ? directory->node : directory->node->parent;
        directory->position++;
        return entry;
    }
    while (directory->next && !directory->next->node)
        directory->next = directory->next->next;
    struct entry *entry = directory->next;
    if (entry) {
        *node = entry->node;
        directory->next = entry->next;
        directory->position++;
    }
    return entry;
}

/* Threads that share a directory have to take turns. */
#define READ(entry_type, field)                                                                                        \
    struct node *node;                                                                                                 \
    directory->in_use = 1;                                                                                             \
    enter_world();                                                                                                     \
    const struct entry *found = next(directory, &node);                                                                \
    if (found) {                                                                                                       \
        struct entry_type *to = &directory->field;                                                                     \
        to->d_ino = node->number;                                                                                      \
        to->d_off = directory->position;                                                                               \
        to->d_type = (unsigned char)type_of(node);                                                                     \
        to->d_reclen = sizeof *to;                                                                                     \
        if (found == &special[0] || found == &special[1])                                                              \
            memcpy(to->d_name, "..", 2);                                                                               \
        else                                                                                                           \
            memcpy(to->d_name, found->name, found->length);                                                            \
        to->d_name[found->length] = 0;                                                                                 \
    }                                                                                                                  \
    leave_world();                                                                                                     \
    return found ? &directory->field : NULL

WEAK struct dirent *readdir(DIR *directory) { READ(dirent, entry); }
WEAK struct dirent64 *readdir64(DIR *directory) { READ(dirent64, entry64); }

WEAK void rewinddir(DIR *directory)
{
    enter_world();
    directory->next = directory->node->entries;
    directory->position = 0;
    leave_world();
}

WEAK int dirfd(DIR *directory) { return directory->descriptor; }

WEAK int closedir(DIR *directory)
{
    int number = directory->descriptor;
    free(directory);
    enter_world();
    int result = __selvedge_close(number);
    leave_world();
    return (int)outcome(result);
}

/* The working directory. */

static int go(struct node *node)
{
    if (!node)
        return -ENOENT;
    if (!IS(node, S_IFDIR))
        return -ENOTDIR;
    if (!may(node, X_OK))
        return -EACCES;
    *__selvedge_working_directory() = node;
    return 0;
}

static int go_to(const char *path)
{
    struct place place;
    int result = __selvedge_find(AT_FDCWD, path, FOLLOW, A_DIRECTORY, &place);
    return result < 0 ? result : go(place.node);
}

WEAK int chdir(const char *path)
{
    enter_world();
    int result = go_to(path);
    leave_world();
    return (int)outcome(result);
}

WEAK int fchdir(int number)
{
    enter_world();
    struct description *file = description_of(number);
    int result = !file ? -EBADF : !file->node ? -ENOTDIR : go(file->node);
    leave_world();
    return (int)outcome(result);
}

/* The path of a directory with its terminating zero, in a new block; NULL if there is no memory. */
static char *path_of(const struct node *node, size_t *length)
{
    size_t n = __selvedge_path(node, NULL, 0);
    char *text = malloc(n + 2);
    if (!text)
        return NULL;
    __selvedge_path(node, text, n);
    if (n == 0)
        text[n++] = '/';
    text[n] = 0;
    *length = n;
    return text;
}

static char *working_path(char *buf, size_t size, int *error)
{
    __selvedge_assumed("world.working-directory");
    struct node *node = *__selvedge_working_directory();
    if (buf && size == 0) {
        *error = -EINVAL;
        return NULL;
    }
    if (node->links == 0) {
        *error = -ENOENT;
        return NULL;
    }
    size_t length = __selvedge_path(node, NULL, 0);
    char text[length + 2];
    __selvedge_path(node, text, length);
    if (length == 0)
        text[length++] = '/';
    text[length] = 0;
    if (size != 0 && length + 1 > size) {
        *error = -ERANGE;
        return NULL;
    }
    if (!buf)
        buf = malloc(size ? size : length + 1);
    if (buf)
        memcpy(buf, text, length + 1);
    else
        *error = -ENOMEM;
    return buf;
}

static char *tell_working_directory(char *buf, size_t size)
{
    int error = 0;
    if (buf)
        __selvedge_must_fit(buf, size);
    enter_world();
    char *result = working_path(buf, size, &error);
    leave_world();
    outcome(error);
    return result;
}

WEAK char *getcwd(char *buf, size_t size) { return tell_working_directory(buf, size); }
WEAK char *get_current_dir_name(void) { return tell_working_directory(NULL, 0); }

/* The node's path: of a directory its own, of a file that of its directory and its name. */
static char *real_path(const char *path, int *error)
{
    struct place place;
    *error = __selvedge_find(AT_FDCWD, path, FOLLOW, ANYTHING, &place);
    if (*error < 0)
        return NULL;
    if (!place.node) {
        *error = -ENOENT;
        return NULL;
    }
    size_t length;
    char *text = path_of(IS(place.node, S_IFDIR) ? place.node : place.directory, &length);
    if (!text || IS(place.node, S_IFDIR))
        return text;
    size_t room = length + 1 + place.entry->length + 1;
    char *whole = malloc(room);
    if (whole) {
        if (length == 1)
            length = 0; /* the root */
        memcpy(whole, text, length);
        whole[length] = '/';
        memcpy(whole + length + 1, place.entry->name, place.entry->length);
        whole[length + 1 + place.entry->length] = 0;
    }
    free(text);
    return whole;
}

WEAK char *realpath(const char *restrict path, char *restrict buf)
{
    if (!path) {
        errno = EINVAL;
        return NULL;
    }
    int error = 0;
    enter_world();
    __selvedge_assumed("world.working-directory");
    char *text = real_path(path, &error);
    leave_world();
    if (!text) {
        errno = error < 0 ? -error : ENOMEM;
        return NULL;
    }
    if (!buf)
        return text;
    size_t n = 0;
    while (text[n])
        n++;
    memcpy(buf, text, n + 1);
    free(text);
    return buf;
}
