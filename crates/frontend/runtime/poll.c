/* poll and select: which descriptors are ready, by the model. See world.h.
 *
 * With a limit both ends of a wait are explored. A wait without one ends when something is ready, or never: then what comes
 * from outside comes, and time passes, unless something else is ready before.
 */
#include "masking.h"

#include "clock.h"

#include <pthread.h>
#include <sys/select.h>

/* Regular files, devices and the console. */
#define ALWAYS (POLLIN | POLLRDNORM | POLLOUT | POLLWRNORM)

static short state_of(int number, short wanted, int must)
{
    if (number < 0)
        return 0;
    struct description *file = description_of(number);
    if (!file)
        return POLLNVAL;
    if (file->kind == &__selvedge_console_kind)
        __selvedge_assumed("world.standard-streams");
    int ready = file->kind->ready ? file->kind->ready(file, must) : ALWAYS;
    return (short)(ready & (wanted | POLLERR | POLLHUP | POLLNVAL));
}

static int waits_for_outside(int number)
{
    struct description *file = number < 0 ? NULL : description_of(number);
    return file && file->kind->is_for_outside && file->kind->is_for_outside(file);
}

static int is_slow(const struct pollfd *one)
{
    struct description *file = one->fd < 0 ? NULL : description_of(one->fd);
    return file && is_left_to_others(file, one->events & (POLLOUT | POLLWRNORM));
}

static uint64_t due(const struct pollfd *one)
{
    struct description *file = one->fd < 0 ? NULL : description_of(one->fd);
    return file && file->kind->due ? file->kind->due(file) : UINT64_MAX;
}

/* 0, or -EINTR if a handler runs before somebody outside, who may take his time, has made one of these ready. */
static int meanwhile(const struct pollfd *all, nfds_t n)
{
    if (!__selvedge_may_interrupt())
        return 0;
    int some_are_slow = 0, is_ready = 0;
    enter_world();
    for (nfds_t i = 0; i < n && !is_ready; i++) {
        int waits = is_slow(&all[i]);
        some_are_slow |= waits;
        is_ready |= !waits && state_of(all[i].fd, all[i].events, 1) != 0;
    }
    leave_world();
    return some_are_slow && !is_ready && __selvedge_interrupts(0) ? -EINTR : 0;
}

/* How many are ready. Of those that time makes ready only `first` must be. */
static int look(struct pollfd *all, nfds_t n, int must, const struct pollfd *first)
{
    int count = 0;
    for (nfds_t i = 0; i < n; i++) {
        int is_timed = due(&all[i]) != UINT64_MAX;
        all[i].revents = state_of(all[i].fd, all[i].events, must && (!is_timed || &all[i] == first));
        count += all[i].revents != 0;
    }
    return count;
}

/* Before a wait without a limit: slow ones must be ready if nothing else is, and need not all be. */
static int look_for_long(struct pollfd *all, nfds_t n)
{
    int n_slow = 0, is_ready = 0;
    const struct pollfd *first = NULL;
    for (nfds_t i = 0; i < n; i++) {
        int waits = is_slow(&all[i]);
        n_slow += waits;
        is_ready |= !waits && state_of(all[i].fd, all[i].events, 0) != 0;
        if (waits && due(&all[i]) != UINT64_MAX && (!first || due(&all[i]) < due(first)))
            first = &all[i];
    }
    int must = !is_ready && n_slow == 1;
    int count = look(all, n, must, first);
    return count == 0 && n_slow > 1 ? look(all, n, 1, first) : count;
}

static int tells_time(const struct pollfd *all, nfds_t n)
{
    int tells = 0;
    enter_world();
    for (nfds_t i = 0; i < n; i++)
        tells |= due(&all[i]) != UINT64_MAX;
    leave_world();
    return tells;
}

static int look_once(struct pollfd *all, nfds_t n)
{
    enter_world();
    int count = look(all, n, 0, NULL);
    leave_world();
    return count;
}

/* The call ends with this look, or by a handler that has run. */
static int last_look(struct pollfd *all, nfds_t n, struct masking *masking)
{
    enter_world();
    int count = is_cut(masking) ? -EINTR : look(all, n, 0, NULL);
    close_mask(masking);
    leave_world();
    return count;
}

static int wait_until(struct pollfd *all, nfds_t n, const struct timespec *limit, struct masking *masking)
{
    if (meanwhile(all, n) < 0)
        return -EINTR;
    for (;;) {
        int for_outside = 0, count = 0;
        enter_world();
        /* A handler runs only if nothing is ready: that was so when its signal came. */
        int was_cut = is_cut(masking);
        if (!was_cut)
            count = limit ? look(all, n, 0, NULL) : look_for_long(all, n);
        if (was_cut || count > 0) {
            close_mask(masking);
        } else {
            for (nfds_t i = 0; !limit && i < n; i++)
                for_outside |= waits_for_outside(all[i].fd);
            __selvedge_enqueue(&__selvedge_pollers, for_outside);
            if (masking)
                __selvedge_wait_masked(masking->handled);
        }
        leave_world();
        if (was_cut)
            return -EINTR;
        if (count > 0)
            return count;
        int result = __selvedge_rest(limit, 0);
        if (result == -ETIMEDOUT)
            return last_look(all, tells_time(all, n) ? n : 0, masking);
        if (result < 0)
            return result;
    }
}

/* The mask changes only if the call has to wait, or would but for its limit. */
WEAK int __selvedge_poll(struct pollfd *all, nfds_t n, const struct timespec *limit, struct masking *masking)
{
    if (n > SYSTEM_DESCRIPTORS)
        return -EINVAL;
    pthread_testcancel();
    struct pollfd own[n ? n : 1];
    for (nfds_t i = 0; i < n; i++)
        own[i] = all[i];
    int count = 0;
    if (masking) {
        count = look_once(own, n);
        if (count == 0) {
            masking->open(masking);
            if (is_cut(masking))
                return -EINTR;
        }
    }
    if (n == 0 && limit) {
        struct timespec left;
        int is_cut_short = may_wait(limit) && __selvedge_sleep_for(limit, &left);
        return last_look(own, 0, masking) < 0 || is_cut_short ? -EINTR : 0;
    }
    if (count == 0)
        count = may_wait(limit) ? wait_until(own, n, limit, masking) : last_look(own, n, masking);
    if (count < 0)
        return count;
    for (nfds_t i = 0; i < n; i++)
        all[i].revents = own[i].revents;
    return count;
}

WEAK int poll(struct pollfd *all, nfds_t n, int milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return (int)outcome(__selvedge_poll(all, n, milliseconds < 0 ? NULL : &limit, NULL));
}

/* What select calls readable, writable and exceptional. */
#define READABLE (POLLIN | POLLRDNORM | POLLHUP | POLLERR)
#define WRITABLE (POLLOUT | POLLWRNORM | POLLERR)

static int has(const fd_set *set, int number)
{
    return set && (set->fds_bits[number / NFDBITS] >> (number % NFDBITS) & 1);
}

static void fill(fd_set *set, const struct pollfd *all, int n, short wanted, short means, int *count)
{
    if (!set)
        return;
    for (int i = 0; i < n; i++) {
        long bit = 1L << (all[i].fd % NFDBITS);
        long *word = &set->fds_bits[all[i].fd / NFDBITS];
        if ((all[i].events & wanted) && (all[i].revents & means)) {
            *word |= bit;
            ++*count;
        } else {
            *word &= ~bit;
        }
    }
}

/* Linux leaves alone what lies beyond the process's table of descriptors. That has 64 at least and grows with those that
 * are open; how large it was at the start nobody knows, so both is tried, once. */
static int is_in_table(int number)
{
    static int least = 64, most = FD_SETSIZE;
    enter_world();
    for (int i = least; i < MAX_DESCRIPTORS; i++)
        least = description_of(i) ? i + 1 : least;
    if (number >= least && number < most) {
        unsigned char any;
        __selvedge_file_input(&any, 1, "size of the table of descriptors", 32, TIME_OF_FILE);
        if (any & 1)
            least = number + 1;
        else
            most = number;
    }
    int result = number < least;
    leave_world();
    return result;
}

WEAK int __selvedge_select(int n, fd_set *to_read, fd_set *to_write, fd_set *special, const struct timespec *limit,
                           struct masking *masking)
{
    if (n < 0 || !is_valid_limit(limit))
        return -EINVAL;
    if (n > FD_SETSIZE)
        n = FD_SETSIZE;
    struct pollfd all[n ? n : 1];
    int used = 0;
    for (int i = 0; i < n; i++) {
        int events = (has(to_read, i) ? POLLIN : 0) | (has(to_write, i) ? POLLOUT : 0) | (has(special, i) ? POLLPRI : 0);
        if (!events)
            continue;
        if (!is_in_table(i))
            break;
        if (!description_of(i))
            return -EBADF;
        all[used++] = (struct pollfd){.fd = i, .events = (short)events};
    }
    int result = __selvedge_poll(all, (nfds_t)used, limit, masking);
    if (result < 0)
        return result;
    int count = 0;
    fill(to_read, all, used, POLLIN, READABLE, &count);
    fill(to_write, all, used, POLLOUT, WRITABLE, &count);
    fill(special, all, used, POLLPRI, POLLPRI, &count);
    return count;
}

/* As on Linux, the limit becomes what is left of it: any part, and nothing when time is over. */
WEAK int select(int n, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict special,
                struct timeval *restrict limit)
{
    struct timespec time = {0, 0};
    if (limit) {
        time.tv_sec = limit->tv_sec + limit->tv_usec / 1000000;
        time.tv_nsec = limit->tv_usec % 1000000 * 1000;
    }
    int result = __selvedge_select(n, to_read, to_write, special, limit ? &time : NULL, NULL);
    if (limit && result != -EINVAL)
        __selvedge_limit_left(limit, result == 0);
    return (int)outcome(result);
}
