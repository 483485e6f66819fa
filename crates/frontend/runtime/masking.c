/* ppoll, pselect, epoll_pwait: waits with a mask of signals of their own.
 *
 * The mask is set only if nothing is ready, as if in the same step: what is pending and not blocked by it is handled and
 * ends the call with EINTR. A handler that runs while it is set ends the call, too, whatever becomes ready by then, and
 * returns to the mask from before the call. So a signal that the program blocks otherwise either ends the wait or stays
 * pending, as on Linux.
 */
#include "masking.h"

#include <signal.h>

/* Provided by the engine: see signal.c. */
uint64_t __selvedge_signal_suspend(uint64_t mask);
void __selvedge_signal_unsuspend(uint64_t mask);
int __selvedge_signal_due(void);
unsigned __selvedge_signal_handled(void);

static void open_mask(struct masking *masking)
{
    /* No step may come between these two: a handler that runs as soon as the mask is set ends the call. */
    uint64_t before = __selvedge_signal_suspend(masking->mask);
    unsigned handled = __selvedge_signal_handled();
    masking->before = before;
    masking->handled = handled;
    masking->is_open = masking->was_open = 1;
    __selvedge_signal_due();
}

static void restore_mask(struct masking *masking)
{
    masking->is_open = 0;
    __selvedge_signal_unsuspend(masking->before);
}

static int has_handled(const struct masking *masking) { return __selvedge_signal_handled() != masking->handled; }

/* NULL if there is no mask. */
static struct masking *begin(struct masking *masking, const sigset_t *set)
{
    if (!set)
        return NULL;
    uint64_t bits;
    __builtin_memcpy(&bits, set, sizeof bits);
    /* Nobody can block these. */
    bits &= ~((uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1) | (uint64_t)3 << 31);
    *masking = (struct masking){.mask = bits, .open = open_mask, .is_cut = has_handled, .close = restore_mask};
    return masking;
}

static int end(struct masking *masking, int result)
{
    close_mask(masking);
    if (masking && masking->was_open)
        __selvedge_signal_due();
    return (int)outcome(result);
}

WEAK int ppoll(struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask)
{
    if (!is_valid_limit(limit))
        return (int)outcome(-EINVAL);
    struct masking own, *masking = begin(&own, mask);
    return end(masking, __selvedge_poll(all, n, limit, masking));
}

WEAK int pselect(int n, fd_set *restrict to_read, fd_set *restrict to_write, fd_set *restrict special,
                 const struct timespec *restrict limit, const sigset_t *restrict mask)
{
    struct masking own, *masking = begin(&own, mask);
    return end(masking, __selvedge_select(n, to_read, to_write, special, limit, masking));
}

WEAK int epoll_pwait(int number, struct epoll_event *to, int most, int milliseconds, const sigset_t *mask)
{
    struct timespec limit = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
    struct masking own, *masking = begin(&own, mask);
    return end(masking, __selvedge_wait_for_set(number, to, most, milliseconds < 0 ? NULL : &limit, masking));
}

WEAK int epoll_pwait2(int number, struct epoll_event *to, int most, const struct timespec *limit, const sigset_t *mask)
{
    if (!is_valid_limit(limit))
        return (int)outcome(-EINVAL);
    struct masking own, *masking = begin(&own, mask);
    return end(masking, __selvedge_wait_for_set(number, to, most, limit, masking));
}
