/* Threads that wait for something in the program's world: see waiting.c. */
#ifndef SELVEDGE_WAITING_H
#define SELVEDGE_WAITING_H

#include "world.h"

#include <semaphore.h>
#include <time.h>

/* A thread's place in a queue. A thread has one, and waits for one thing at a time. */
struct waiter {
    struct waiter *next, **link; /* `link` is NULL outside of a queue */
    sem_t is_woken;
    int for_outside, is_masked;
    unsigned handled; /* handlers that had run when a mask was set for the wait */
    const void *set; /* of epoll, if it waits for one */
    struct timespec limit; /* of zero: there is none */
};

struct queue {
    struct waiter *first;
};

/* Those that wait for more than one thing: poll and its relatives. */
extern struct queue __selvedge_pollers;

/* Inside a step: the running thread will wait here, or give up. `for_outside`: somebody outside of the program could
 * end the wait as well, so that waiting for ever is no deadlock. */
void __selvedge_enqueue(struct queue *queue, int for_outside);
/* Inside a step, after `__selvedge_enqueue`: every handler that has run since there were `handled` ends the wait. */
void __selvedge_wait_masked(unsigned handled);
/* The same among those who poll, for a set of epoll. */
void __selvedge_enqueue_for(const void *set, int for_outside);
/* Inside a step, after `__selvedge_enqueue`: the wait ends after this time with -EAGAIN, unless it is zero. */
void __selvedge_limit_wait(const struct timespec *limit);
/* What `happened` does in programs with epoll. See epoll.c. */
extern void (*const __selvedge_tell)(struct description *file, int key);

/* Inside a step: wakes all in the queue, and those who poll. */
void __selvedge_changed(struct queue *queue);
/* Outside of any step, after `__selvedge_enqueue`: waits. 0, -EINTR, -EAGAIN by its own limit, -ETIMEDOUT by this one. A
 * handler with SA_RESTART does not end a wait that `restarts`. */
int __selvedge_rest(const struct timespec *limit, int restarts);
/* Outside of any step, instead of that: gives up, and gives back `result`. */
int __selvedge_stop_waiting(int result);

/* Inside a step: something has happened to what `file` describes, and sets of epoll with it are told. `key` is POLLIN and
 * the like, as the wake-ups of Linux have it; 0 is anything. NULL: nobody has it. */
static inline void happened(struct description *file, int key)
{
    if (file && file->watchers)
        __selvedge_tell(file, key);
}

/* For kinds whose operations enqueue the thread before they say WOULD_WAIT. */
int __selvedge_wait_in_queue(struct description *file, int restarts);

/* Inside a step: whether only somebody outside, or time, makes it ready. Who `writes` asks for room, too, which a timer or
 * a set of epoll never has. */
static inline int is_left_to_others(struct description *file, int writes)
{
    return (!writes || !file->kind->write) && file->kind->is_slow && file->kind->is_slow(file);
}

static inline int never_waits(const struct description *file) { return file->flags & O_NONBLOCK; }

#endif
