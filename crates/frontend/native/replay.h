/* The native run-time: runs the real program along a recorded execution.
 *
 * tables.c, written for each bug, holds the record. schedule.c admits threads in its order, threads.c numbers them and
 * emulates what would block, waiting.c waits on descriptors, misuse.c looks for misuse of synchronisation, copy.c makes copies word by word, inputs.c
 * feeds values, world.c rebuilds files, console.c standard streams, failing.c lets calls fail, failure.c is about the end.
 */
#ifndef SELVEDGE_REPLAY_H
#define SELVEDGE_REPLAY_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

/* --- the record --- */

/* One visible step. */
struct sv_step {
    uint32_t thread;
    uint32_t site;   /* the point before it */
    uint64_t point;  /* it follows this point that the thread passes, counted from 1 */
    uint32_t midway; /* a waiting thread goes on inside the call that follows the point, or a copy */
    uint32_t rest;   /* a thread that found nothing is woken, inside the call that follows the point */
    uint32_t copies; /* SV_READS and SV_WRITES: part of a copy, `size` bytes from `at` on */
    uint64_t at, size;
    int signal; /* not a step of the thread's own: this signal comes to it */
};

enum { SV_READS = 1, SV_WRITES = 2 };

/* Where a thread stands in the end. */
struct sv_end {
    uint64_t points;  /* points it has passed */
    uint32_t site;    /* the last of them */
    uint32_t waiting; /* what follows the last one is a visible step that it did not come to make */
    uint32_t resting; /* in the call that follows the last one it found nothing, and waits to be woken */
};

/* Thread i + 1 is this child of this parent. */
struct sv_child {
    uint32_t parent, position;
};

struct sv_input {
    uint32_t thread;
    uint32_t environment; /* a choice of the environment, not asked for by the program: 1, or SV_CUT_SHORT */
    uint64_t size, offset; /* in sv_bytes */
};

/* Whether a handler of a signal ran during a call, or before it. */
enum { SV_CUT_SHORT = 2 };

/* A call about files or streams that failed although nothing spoke against it. */
struct sv_io_failure {
    uint32_t thread;
    uint32_t site;
    uint64_t point; /* it follows this point that the thread passes, counted from 1 */
    uint32_t after; /* how often the same call could have failed before */
    int error;
    int is_done;
};

/* A file or directory that the program finds. */
struct sv_file {
    const char *path; /* from the root */
    int is_directory;
    size_t size, offset; /* in sv_file_bytes */
};

/* A peer on the network, and what it sends. */
struct sv_peer {
    size_t size, offset; /* in sv_peer_bytes */
    int has_part;        /* a read of it stops short... */
    size_t part;         /* ...after so many bytes, counted from the beginning */
};

/* A point in the source; sorted by site. */
struct sv_site {
    uint32_t site;
    const char *place;
    const char *point; /* with what is done there */
};

enum sv_kind { SV_ASSERT, SV_MEMORY, SV_DIV, SV_OVERFLOW, SV_LEAK, SV_DEADLOCK, SV_LIVELOCK, SV_RACE };

extern const struct sv_step sv_steps[];
extern const size_t sv_n_steps;
extern const struct sv_end sv_ends[];
extern const size_t sv_n_threads;
extern const struct sv_child sv_children[]; /* sv_n_threads - 1 */
extern const struct sv_input sv_inputs[];
extern const size_t sv_n_inputs;
extern const unsigned char sv_bytes[];
extern struct sv_io_failure sv_io_failures[];
extern const size_t sv_n_io_failures;
extern const struct sv_site sv_sites[];
extern const size_t sv_n_sites;
extern char *const sv_args[]; /* argv, ended by a null pointer */
extern const int sv_argc;
extern char *const sv_environment[]; /* "NAME=value", ended by a null pointer */
extern const unsigned char sv_stdin[];
extern const size_t sv_stdin_size;
extern const int sv_has_stdin;
extern const int sv_has_part; /* a read of standard input stops short... */
extern const size_t sv_part;  /* ...after so many bytes, counted from the beginning */
extern const int sv_terminals[3]; /* whether the standard streams are terminals; -1: nobody asked */
extern const int sv_has_world; /* the program names files */
extern const struct sv_file sv_files[];
extern const size_t sv_n_files;
extern const unsigned char sv_file_bytes[];
extern const struct sv_peer sv_peers[];
extern const size_t sv_n_peers;
extern const unsigned char sv_peer_bytes[];
extern const uint32_t sv_failing;  /* the thread that fails */
extern const int sv_kind;          /* an enum sv_kind */
extern const int sv_stuck;         /* the execution ends because no thread can move */
extern const int sv_threads_may_fail;
extern const uint32_t sv_fail_at_most;
extern const int sv_clock_is_fixed;
extern const int sv_clock_counts;    /* the program uses std::chrono: see runtime/clock.c */
extern const char *const sv_place; /* where it fails, for messages */
extern const char *const sv_message;

/* --- threads (schedule.c) --- */

enum sv_fate { SV_JOINABLE, SV_JOINED, SV_DETACHED };
enum sv_mode { SV_RUNS, SV_WAITS_FOR_TURN, SV_PARKED, SV_ASLEEP, SV_LET_GO };

struct sv_thread {
    uint32_t number;
    int is_known;      /* it was started */
    int has_ended;
    int tid;           /* of the kernel */
    pthread_t handle;
    int has_handle;
    enum sv_fate fate;
    volatile uint64_t count; /* points passed; only the thread itself writes it, the monitor looks at it */
    uint64_t stop_at;  /* the next point at which there is something to do */
    uint32_t site;     /* the last point */
    size_t step;       /* the last step it has begun */
    size_t next;       /* its next step, sv_n_steps if there is none */
    int is_holding;    /* it makes its step */
    int atomic;        /* nested atomic sections */
    uint32_t n_children;
    size_t next_input;
    int was_woken;
    int n_brought;     /* signals that came at the last point */
    int owes_point;    /* one of them waits to be let in; its handler comes before the point that it counts as */
    int n_rounds;      /* of destructors of thread-specific values */
    enum sv_mode mode;
};

extern struct sv_thread *sv_threads; /* sv_n_threads */
extern _Thread_local struct sv_thread *sv_me; /* null in threads that are not the program's */
extern volatile size_t sv_turn; /* the step to be made next */
extern int sv_has_arrived;

void sv_lock(void);
void sv_unlock(void);
/* With the lock: ends the step of `t`. */
void sv_release(struct sv_thread *t);
/* With the lock: waits for step `i`, of `t`, and begins it. */
void sv_take_turn(struct sv_thread *t, size_t i);
/* With the lock, in a library function that has touched memory before it would block: waits for the next step after the
 * same point. 0 if the record has none. */
int sv_step_on(struct sv_thread *t);
/* A handler has run in the call that follows the point: now the thread stands before it again. */
void sv_pass_again(struct sv_thread *t, uint32_t site);
/* In the call that follows the last point: what the record has come to the thread meanwhile comes now. */
void sv_bring_due(struct sv_thread *t);
/* The call that follows the last point waits: the step that began it is over, and it may be where the thread stays. */
void sv_rests(struct sv_thread *t);
/* Whether the call that follows the last point has yet to rest in the record, or rests there for ever: then it is made
 * so that it does not wait, and if there is nothing, `sv_rest` (waiting.c). */
int sv_may_rest(const struct sv_thread *t);
/* Lets others go on until the next look of the call; if the record has none, for ever, or until the call may block. The
 * end of a rest `with_limit` is the last look. */
void sv_rest(struct sv_thread *t, int with_limit);
/* A signal of the record comes to the running thread (signals.c). */
void sv_comes(int signal);
/* Before a call that reads from the descriptor: what the call waits for in the record is there now (waiting.c). */
void sv_wait_to_read(int number);
/* Whether a signal that came at the last point ends the call that follows it (signals.c). */
int sv_is_cut_short(void);
/* With the lock: `t` stays here for ever. */
void sv_park(struct sv_thread *t, enum sv_mode mode) __attribute__((noreturn));
/* With the lock: computes stop_at. */
void sv_plan(struct sv_thread *t);
/* With the lock: lets waiting threads look again. */
void sv_changed(void);
/* The running thread is `t` from now on. */
void sv_begin_thread(struct sv_thread *t);

/* --- the end (failure.c) --- */

#define SV_EXIT_DIVERGED 113
#define SV_EXIT_PAST 114

/* Without the lock or with it: the process ends. */
void sv_diverged(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
void sv_past(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Tells the tool, if it listens. */
void sv_status(const char *text);
const char *sv_place_of(uint32_t site);
const char *sv_point_of(uint32_t site);
/* Diverges unless the running thread is where the failure was recorded. */
void sv_expect_failure(const char *what);
/* Ends the process if misuse by the running thread, here, is the recorded failure. */
void sv_misuse(const char *what);
void sv_start_monitor(void);

/* --- inputs (inputs.c) --- */

void sv_take_input(void *to, uint64_t size, uint32_t environment);
/* 0, or which error a call ends in that may fail if `may` says so. */
unsigned sv_failure(int may);
/* A call has failed that others are counted with. */
void sv_count_failure(void);
/* Whether the allocation under way failed in the record. */
int sv_memory_fails(void);
/* One that should have failed by now and did not, or null (failing.c). */
const struct sv_io_failure *sv_not_failed(void);

/* --- the world (world.c, console.c) --- */

/* Descriptors of our own have at least this number: the engine's programs have fewer. */
#define SV_HIGH_DESCRIPTOR 256

/* Once, before the program's own constructors, in this order. */
void sv_set_environment(void); /* the recorded one; keeps what is for us */
void sv_build_consoles(void);
void sv_build_world(void);

/* How much of `size` bytes a read may give that may be one of a peer (peers.c). */
size_t sv_at_most_from_peer(int number, size_t size, int peeks);

extern char *sv_temporary; /* the user's TMPDIR, or null */

/* `mode`, which `open` has after its flags if it may make a file. For functions with `flags` as the last named parameter. */
#define MODE_AFTER(flags)                                                                                              \
    mode_t mode = 0;                                                                                                   \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {                                                   \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = (mode_t)va_arg(rest, int);                                                                              \
        va_end(rest);                                                                                                  \
    }

/* Fails if the address sanitizer knows that a call has no room for so many bytes. */
void __selvedge_must_fit(void *buf, ptrdiff_t size);

#endif
