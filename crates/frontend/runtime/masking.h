/* Waits during which a thread blocks other signals than before: see masking.c. */
#ifndef SELVEDGE_MASKING_H
#define SELVEDGE_MASKING_H

#include "waiting.h"

#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>

/* A mask for the time of one wait. What is done to it stands behind pointers, so that programs without such waits have
 * nothing to do with signals. */
struct masking {
    uint64_t mask, before;
    unsigned handled;
    int is_open, was_open;
    /* Outside of any step: sets the mask, and runs handlers of what is pending and not blocked by it. */
    void (*open)(struct masking *masking);
    /* Whether a handler has run since. */
    int (*is_cut)(const struct masking *masking);
    /* The mask is again what it was: inside of the step that decides what the call gives, so that no handler runs after
     * that. What is not blocked any longer is handled later. */
    void (*close)(struct masking *masking);
};

static inline int is_cut(const struct masking *masking) { return masking && masking->is_open && masking->is_cut(masking); }

static inline void close_mask(struct masking *masking)
{
    if (masking && masking->is_open)
        masking->close(masking);
}

/* Poll and wait for a set of epoll, with the limit NULL for ever and of zero without waiting, and a mask or NULL. A count,
 * or a negated error number. */
int __selvedge_poll(struct pollfd *all, nfds_t n, const struct timespec *limit, struct masking *masking);

int __selvedge_select(int n, fd_set *to_read, fd_set *to_write, fd_set *special, const struct timespec *limit,
                      struct masking *masking);
int __selvedge_wait_for_set(int number, struct epoll_event *to, int most, const struct timespec *limit,
                            struct masking *masking);

static inline int is_valid_limit(const struct timespec *limit)
{
    return !limit || ((limit->tv_sec >= 0) & ((unsigned long)limit->tv_nsec < 1000000000));
}

static inline int may_wait(const struct timespec *limit) { return !limit || limit->tv_sec > 0 || limit->tv_nsec > 0; }

#endif
