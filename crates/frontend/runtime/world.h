/* The program's world of files: what the units that model it share.
 *
 * Three layers. A *descriptor* is a number in a table (descriptors.c, table.c). It leads to an *open file description*, which has
 * a position and a kind; a kind is a table of operations, in a file of its own (console.c, regular.c, devices.c, ...),
 * so a new kind needs a new file and nothing else. Descriptions of files lead to *nodes*, which exist apart from their
 * names (nodes.c, names.c).
 *
 * Guarantees: each call of the program is one step to other threads (`enter_world`, `leave_world`), and what belongs to
 * different files lies at different places, so that steps on different files stay independent. The bytes of the
 * program's own buffers are moved outside of those steps, so that races on them are seen.
 *
 * Inside, functions return a negated error number for a failure, as system calls do; only the functions that programs
 * call set `errno`.
 */
#ifndef SELVEDGE_WORLD_H
#define SELVEDGE_WORLD_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "runtime.h"

#include <fcntl.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

/* Provided by the engine: memory of the run-time's own, filled with zeros; it is always there and is no leak. */
void *__selvedge_keep(size_t size);

/* Provided by the engine: output on the console, `stream` 1 or 2. */
size_t __selvedge_print(int stream, const void *from, size_t size);
int __selvedge_print_list(int stream, const char *format, va_list args);
/* Provided by the engine: the number of an error, if output on the console fails and the program can see that. */
int __selvedge_console_fails(void);

/* Provided by the engine: these bytes leave the program. */
void __selvedge_shown(const void *from, size_t size);

/* Provided by the engine: whether the program does something with the result of the call under way. */
int __selvedge_result_is_used(void);

/* Provided by the engine: fills `to` with an input that is about a file, or about something else that is not asked for
 * when the program runs natively (TIME_OF_FILE). */
enum role { EXISTENCE_OF_FILE, LENGTH_OF_FILE, CONTENT_OF_FILE, PART_OF_FILE, TIME_OF_FILE, IS_TERMINAL, IS_LATE };
void __selvedge_file_input(void *to, size_t size, const char *name, size_t length, enum role role);

/* Provided by the engine: what the user said about files. */
enum question {
    N_FILES,
    LENGTH_OF_NAME,
    IS_SYMBOLIC,
    SIZE_OF_FILE,
    BOUND_OF_FILES,
    N_PEERS,
    BOUND_OF_PEERS,
    SIZE_OF_PEER,
    PEER_IS_SYMBOLIC,
    IO_MAY_FAIL,
};
long __selvedge_world(enum question question, long file);
/* Writes the name (LENGTH_OF_NAME) or the content (SIZE_OF_FILE) of a file that the user gave. */
void __selvedge_world_bytes(void *to, size_t size, enum question question, long file);

static inline void enter_world(void) { selvedge_atomic_begin(); }

static inline void leave_world(void) { selvedge_atomic_end(); }

/* The end of a call: sets `errno` if `result` is a negated error number. */
static inline long long outcome(long long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

/* Whether a call that nothing speaks against fails all the same (`--fail io`): 0, or one of these error numbers, negated.
 * Must come before the call changes anything. See failures.c. */
#define FAILURE(...) __selvedge_io_failure(sizeof(const int[]){__VA_ARGS__} / sizeof(int), (const int[]){__VA_ARGS__})
int __selvedge_io_failure(int n, const int *errors);

/* Provided by the engine, about handlers of signals: whether one may run at any time; and whether one runs just now, in a
 * call that waits for somebody outside or for time to pass, and ends it. After one with SA_RESTART a call that `restarts`
 * goes on. Outside of any step. */
int __selvedge_may_interrupt(void);
int __selvedge_interrupts(int restarts);

struct node;
struct description;

/* What `stat` tells of a file. */
struct facts {
    mode_t mode;
    unsigned long long number;
    unsigned long links;
    unsigned long long device;
    long long size;
    long long changed; /* seconds */
};

/* The operations of a kind. A missing one fails as `descriptors.c` says. All are called inside a step, with a valid
 * buffer of the run-time's own. */
struct operations {
    /* At `*at`, which they advance. They check nothing about access modes. */
    ssize_t (*read)(struct description *file, unsigned char *to, size_t size, long long *at);
    ssize_t (*write)(struct description *file, const unsigned char *from, size_t size, long long *at);
    /* The end of the file, as a base for positions; a kind without it has no positions. */
    long long (*end)(struct description *file);
    int (*facts)(struct description *file, struct facts *facts);
    int (*resize)(struct description *file, long long size);
    /* The last descriptor is closed. */
    void (*release)(struct description *file);
    /* Waits, outside of any step, until `read` or `write` may be tried again after WOULD_WAIT; a negated error number, or
     * 0. See waiting.h. */
    int (*wait_to_read)(struct description *file, int restarts);
    int (*wait_to_write)(struct description *file, int restarts);
    /* Whether what is read comes from outside of the program, so that a real call may wait for it. */
    int (*is_slow)(struct description *file);
    /* Outside of any step, after `write` has failed with EPIPE. */
    void (*broken)(void);
    /* What `poll` would say: POLLIN, POLLOUT and so on. `must` says that the caller is about to wait for ever, so that
     * what comes from outside has come. Without it, reading and writing never wait. */
    int (*ready)(struct description *file, int must);
    /* When time alone makes it ready, in nanoseconds; UINT64_MAX if it does not. */
    uint64_t (*due)(struct description *file);
    /* How often something new has come from outside. Edge-triggered epoll asks; `told` is what it said last. */
    unsigned (*arrived)(struct description *file, unsigned told, int must);
    /* Whether nobody is told when it becomes ready: who waits for news of it, as edge-triggered epoll does, gets none. */
    int (*is_untold)(struct description *file);
    /* Whether somebody outside of the program could make more of it ready, so that waiting for ever is no deadlock. */
    int (*is_for_outside)(struct description *file);
    /* Whether it takes every offset and stays where it is on a newer Linux, and has no positions on an older one. */
    int may_ignore_offsets;
    int is_whole; /* a write takes all that it is given, or nothing */
};

/* A description in a set of epoll: see epoll.h. */
struct member;

/* An open file description. */
struct description {
    const struct operations *kind;
    int flags;           /* access mode and status flags as in `open` */
    unsigned references; /* descriptors, and streams without one */
    long long position;
    struct node *node; /* of files and directories */
    void *own;         /* the kind's */
    unsigned n_moved;  /* streams that may have moved the position: see holding.h */
    struct member *watchers; /* where it is a member */
};

/* Descriptors. */

struct descriptor {
    struct description *file; /* NULL: not open */
    int flags;                /* FD_CLOEXEC */
};

/* More descriptors than this are not modelled; systems allow 1024 and more. */
#define MAX_DESCRIPTORS 256
#define SYSTEM_DESCRIPTORS 1024

extern struct descriptor __selvedge_descriptors[MAX_DESCRIPTORS];

/* The description behind a number, NULL if there is none. */
static inline struct description *description_of(int number)
{
    return (unsigned)number < MAX_DESCRIPTORS ? __selvedge_descriptors[number].file : NULL;
}

/* Inside a step, which it may leave: 0, or -EINTR if a handler ends a call that waits for what `file` gives. */
int __selvedge_slow(struct description *file);

/* Gives `file` the lowest free number from `lowest` on; the reference is the caller's to count. */
int __selvedge_install(struct description *file, int lowest, int flags);
/* Takes a number out of the table; the program's own `close` may fail after that. */
int __selvedge_drop(int number);
int __selvedge_close(int number);
/* Drops one reference. */
void __selvedge_forget(struct description *file);
/* A new description with no reference. */
struct description *__selvedge_describe(const struct operations *kind, int flags, struct node *node);

/* The program is told what kind of file this is, other than whether it is a terminal. */
void __selvedge_asks_kind(const struct description *file);

/* Reading and writing inside a step; at the position where `at` is NULL. They check access modes. */
ssize_t __selvedge_read(struct description *file, unsigned char *to, size_t size, long long *at);
ssize_t __selvedge_write(struct description *file, const unsigned char *from, size_t size, long long *at);
long long __selvedge_seek(struct description *file, long long offset, int whence);

/* Writing all of it, however often it has to wait, and reading; the bytes are the program's own. See descriptors.c. */
ssize_t __selvedge_write_to(int number, const void *buf, size_t size);
ssize_t __selvedge_read_from(int number, void *buf, size_t size);

/* Operations may say this: nothing can be done before `wait_to_*` has returned. */
#define WOULD_WAIT (-EAGAIN)

/* Console. */

extern const struct operations __selvedge_console_kind;
/* The descriptions of standard input, output and error. */
extern struct description __selvedge_console[3];

/* Whether standard input, which has been read up to the bound, has more: as much as is asked for. */
int __selvedge_stdin_goes_on(void);

/* Whether somebody sits at it: decided once for each stream. */
int __selvedge_is_terminal(const struct description *console);

/* The number of the console's stream that output to `file` goes to, or 0. */
static inline int console_stream(const struct description *file)
{
    return file && file->kind == &__selvedge_console_kind && (file->flags & O_ACCMODE) != O_RDONLY
               ? (int)(file - __selvedge_console)
               : 0;
}

/* Nodes. */

/* A regular file, a directory, a symbolic link, or a device. */
struct node {
    mode_t mode; /* type and permissions */
    unsigned links;
    unsigned long long number;
    long long changed;
    /* Of a regular file and a symbolic link: the bytes. The size may be symbolic; the room never is. */
    unsigned char *data;
    size_t size;
    size_t room;
    int is_masked; /* the mask of the start is still to be taken from its mode */
    int has_any_size; /* the size has been symbolic, so positions may be */
    unsigned n_back, n_ahead; /* streams that may hold bytes of it: see holding.h */
    /* Of a directory. */
    struct node *parent;
    struct entry *entries, **last_entry;
    int is_open; /* names that nobody has mentioned may be there */
    const struct entry *self; /* its name */
    /* Of a device. */
    const struct operations *device;
};

/* A name in a directory. Entries stay for good; the order is that of their making. */
struct entry {
    struct entry *next;
    struct node *node; /* NULL: the name is known to be absent */
    int had_socket; /* the program has bound one to it */
    size_t length;
    char name[];
};

/* What an unknown name may turn out to be. */
enum wanted {
    ANYTHING,    /* absent, or a regular file */
    A_DIRECTORY, /* absent, a directory, or a regular file */
    A_FILE,      /* a regular file: absent makes no difference to an empty one */
    A_NEW_FILE,  /* absent or not makes no difference */
};

/* How a path ended. */
struct place {
    struct node *directory;
    struct entry *entry; /* the last name; NULL for a path that ends in `.`, `..` or is `/` */
    struct node *node;   /* NULL: absent */
    int needs_directory; /* the path ends in a slash */
};

extern const struct operations __selvedge_regular_kind;
extern const struct operations __selvedge_directory_kind;

struct node *__selvedge_new_node(mode_t mode);
struct node *__selvedge_new_directory(struct node *parent, mode_t mode, int is_open);
struct entry *__selvedge_link(struct node *directory, const char *name, size_t length, struct node *node);
struct entry *__selvedge_look_up(struct node *directory, const char *name, size_t length, enum wanted wanted);
/* Room for at least so many bytes; a negated error number if that is too much. */
int __selvedge_grow(struct node *node, long long size);
int __selvedge_resize(struct node *node, long long size);
void __selvedge_facts(const struct node *node, struct facts *facts);
/* The working directory; makes the world if there is none yet. */
struct node **__selvedge_working_directory(void);

/* What becomes of a symbolic link at the end of a path: it is followed; it is if a slash comes after it; never, as the
 * name itself is meant. */
enum last { FOLLOW, STAY, NAME_ONLY };
/* Follows a path from a directory (a descriptor, or AT_FDCWD); a negated error number, or 0. */
int __selvedge_find(int at, const char *path, enum last last, enum wanted wanted, struct place *place);
/* The path of a directory from the root. Returns the length, writes what fits. */
size_t __selvedge_path(const struct node *directory, char *to, size_t size);
/* `open` without its variable argument; a descriptor or a negated error number. */
int __selvedge_open(int at, const char *path, int flags, mode_t mode);
int __selvedge_unlink(int at, const char *path, int flags);

/* The file mode creation mask: what is left of a mode, if the program has set one; and the one that it was started
 * with, which is open. It has no bits of the owner. */
mode_t __selvedge_masked(mode_t mode);
int __selvedge_mask_is_set(void);
mode_t __selvedge_first_mask(void);

#define IS(node, type) (((node)->mode & S_IFMT) == (type))

/* Whether the owner may do it: `wanted` of R_OK, W_OK, X_OK. */
static inline int may(const struct node *node, int wanted)
{
    int has = ((node->mode >> 6) & wanted) == (unsigned)wanted;
    /* The superuser may all the same. */
    if (!has)
        __selvedge_assumed("world.identity");
    return has;
}

#endif
