/* poll and select: which descriptors are ready, by the model. See world.h.
 *
 * With a limit both ends of a wait are explored. A wait without one ends when something is ready, or never.
 */
#include "waiting.h"

#include "clock.h"

#include <poll.h>
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
    return file && file->kind->ready && (file->kind->ready(file, 1) & OUTSIDE) != 0;
}

/* 0, or -EINTR if a handler runs before somebody outside, who may take his time, has made one of these ready. */
static int meanwhile(const struct pollfd *all, nfds_t n)
{
    if (!__selvedge_may_interrupt())
        return 0;
    int is_slow = 0, is_ready = 0;
    enter_world();
    for (nfds_t i = 0; i < n && !is_ready; i++) {
        struct description *file = all[i].fd < 0 ? NULL : description_of(all[i].fd);
        int waits = file && !(all[i].events & (POLLOUT | POLLWRNORM)) && file->kind->is_slow && file->kind->is_slow(file);
        is_slow |= waits;
        is_ready |= !waits && state_of(all[i].fd, all[i].events, 1) != 0;
    }
    leave_world();
    return is_slow && !is_ready && __selvedge_interrupts(0) ? -EINTR : 0;
}

/* How many are ready. `limit` NULL: waits for ever; of zero: does not wait. */
static int poll_until(struct pollfd *all, nfds_t n, const struct timespec *limit)
{
    if (n > SYSTEM_DESCRIPTORS)
        return -EINVAL;
    pthread_testcancel();
    struct pollfd own[n ? n : 1];
    for (nfds_t i = 0; i < n; i++)
        own[i] = all[i];
    int may_wait = !limit || limit->tv_sec > 0 || limit->tv_nsec > 0;
    int count;
    if (n == 0 && limit) {
        struct timespec left;
        return may_wait && __selvedge_sleep_for(limit, &left) ? -EINTR : 0;
    }
    if (may_wait && meanwhile(own, n) < 0)
        return -EINTR;
    for (;;) {
        count = 0;
        int for_outside = 0;
        enter_world();
        for (nfds_t i = 0; i < n; i++) {
            own[i].revents = state_of(own[i].fd, own[i].events, limit == NULL);
            count += own[i].revents != 0;
        }
        if (count == 0 && may_wait) {
            for (nfds_t i = 0; !limit && i < n; i++)
                for_outside |= waits_for_outside(own[i].fd);
            __selvedge_enqueue(&__selvedge_pollers, for_outside);
        }
        leave_world();
        if (count > 0 || !may_wait)
            break;
        int result = __selvedge_rest(limit, 0);
        if (result == -ETIMEDOUT)
            break;
        if (result < 0)
            return result;
    }
    for (nfds_t i = 0; i < n; i++)
        all[i].revents = own[i].revents;
    return count;
}

WEAK int poll(struct pollfd *all, nfds_t n, int milliseconds)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return (int)outcome(poll_until(all, n, milliseconds < 0 ? NULL : &limit));
}

static int is_valid_limit(const struct timespec *limit)
{
    return !limit || ((limit->tv_sec >= 0) & ((unsigned long)limit->tv_nsec < 1000000000));
}

WEAK int ppoll(struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    if (mask)
        __selvedge_unsupported("ppoll with a mask of signals");
    if (!is_valid_limit(limit))
        return (int)outcome(-EINVAL);
    return (int)outcome(poll_until(all, n, limit));
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

static int select_until(int n, fd_set *to_read, fd_set *to_write, fd_set *special, const struct timespec *limit)
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
        if (!description_of(i))
            return -EBADF;
        all[used++] = (struct pollfd){.fd = i, .events = (short)events};
    }
    int result = poll_until(all, (nfds_t)used, limit);
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
    int result = select_until(n, to_read, to_write, special, limit ? &time : NULL);
    if (limit && result != -EINVAL)
        __selvedge_limit_left(limit, result == 0);
    return (int)outcome(result);
}

WEAK int pselect(int n, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict special,
                 const struct timespec *restrict limit, const sigset_t *restrict mask)
{
    if (mask)
        __selvedge_unsupported("pselect with a mask of signals");
    return (int)outcome(select_until(n, to_read, to_write, special, limit));
}
