/* Calls that wait for what other threads do to a pipe, a socket or an event.
 *
 * In the engine such a call looks, rests if there is nothing, is woken and looks again (runtime/waiting.c): each look is
 * a step, and so is the end of each rest. Here each look is a real call that does not wait, made in its turn. So nobody
 * is blocked in the kernel while others have turns, and who comes first is who came first in the record. Where the
 * record leaves a thread at rest for ever, the call is made in the end, and really blocks.
 *
 * A rest with a limit ends in its turn as well: in a look that finds nothing, if it is the last.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* runtime/clock.c */
void __selvedge_limit_left(struct timeval *limit, int is_over);

static const struct timespec none;

void sv_wait_to_read(int number)
{
    struct pollfd look = {.fd = number, .events = POLLIN};
    while (sv_may_rest(sv_me) && poll(&look, 1, 0) == 0)
        sv_rest(sv_me, 0);
}

/* --- several descriptors --- */

/* A function `name` that gives 0 if it finds nothing; `now` are its arguments for a look. */
#define LOOKS(name, parameters, has_limit, now, arguments)                                                             \
    int selvedge_native_##name parameters                                                                              \
    {                                                                                                                  \
        if (sv_is_cut_short())                                                                                         \
            return errno = EINTR, -1;                                                                                  \
        int has_rested = 0;                                                                                            \
        for (; sv_may_rest(sv_me); sv_rest(sv_me, has_limit), has_rested = 1) {                                        \
            int result = name now;                                                                                     \
            if (result != 0)                                                                                           \
                return result;                                                                                         \
        }                                                                                                              \
        return (has_limit) && has_rested ? name now : name arguments;                                                  \
    }

LOOKS(poll, (struct pollfd *all, nfds_t n, int limit), limit >= 0, (all, n, 0), (all, n, limit))
LOOKS(ppoll, (struct pollfd *all, nfds_t n, const struct timespec *limit, const sigset_t *mask), limit != NULL,
      (all, n, &none, mask), (all, n, limit, mask))
LOOKS(epoll_wait, (int set, struct epoll_event *to, int n, int limit), limit >= 0, (set, to, n, 0), (set, to, n, limit))
LOOKS(epoll_pwait, (int set, struct epoll_event *to, int n, int limit, const sigset_t *mask), limit >= 0,
      (set, to, n, 0, mask), (set, to, n, limit, mask))

/* As `pselect`, without changing the sets if nothing is found. */
static int select_now(int n, fd_set *const sets[3], const sigset_t *mask)
{
    fd_set found[3];
    for (int i = 0; i < 3; i++) {
        if (sets[i])
            found[i] = *sets[i];
    }
    int result = pselect(n, sets[0] ? &found[0] : NULL, sets[1] ? &found[1] : NULL, sets[2] ? &found[2] : NULL, &none,
                         mask);
    for (int i = 0; i < 3 && result > 0; i++) {
        if (sets[i])
            *sets[i] = found[i];
    }
    return result;
}

int selvedge_native_pselect(int n, fd_set *a, fd_set *b, fd_set *c, const struct timespec *limit, const sigset_t *mask)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    int has_rested = 0;
    for (; sv_may_rest(sv_me); sv_rest(sv_me, limit != NULL), has_rested = 1) {
        int result = select_now(n, (fd_set *[]){a, b, c}, mask);
        if (result != 0)
            return result;
    }
    return pselect(n, a, b, c, limit && has_rested ? &none : limit, mask);
}

/* What is left of its limit is recorded, too. */
int selvedge_native_select(int n, fd_set *a, fd_set *b, fd_set *c, struct timeval *limit)
{
    struct timespec time;
    if (limit)
        time = (struct timespec){limit->tv_sec + limit->tv_usec / 1000000, limit->tv_usec % 1000000 * 1000};
    int result = selvedge_native_pselect(n, a, b, c, limit ? &time : NULL, NULL);
    int error = errno;
    if (limit && (result >= 0 || error != EINVAL))
        __selvedge_limit_left(limit, result == 0);
    errno = error;
    return result;
}

/* --- one descriptor --- */

int selvedge_native_eventfd_read(int number, eventfd_t *to)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    sv_wait_to_read(number);
    return eventfd_read(number, to);
}

ssize_t selvedge_native_recvmsg(int number, struct msghdr *to, int flags)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    sv_wait_to_read(number);
    return recvmsg(number, to, flags);
}

/* Calls on the descriptor do not wait from now on. Returns what `may_wait` takes. */
static int never_waits(int number)
{
    int flags = fcntl(number, F_GETFL);
    fcntl(number, F_SETFL, flags | O_NONBLOCK);
    return flags;
}

static void may_wait(int number, int flags)
{
    int error = errno;
    fcntl(number, F_SETFL, flags);
    errno = error;
}

struct output {
    int number;
    const char *from;
    size_t size;
    int is_sent; /* by `sendto`, with what follows */
    int flags;
    const struct sockaddr *to;
    socklen_t size_of_to;
};

static ssize_t put(const struct output *o, size_t done)
{
    if (!o->is_sent)
        return write(o->number, o->from + done, o->size - done);
    return sendto(o->number, o->from + done, o->size - done, o->flags, o->to, o->size_of_to);
}

/* What there is no room for at once follows when there is. */
static ssize_t put_all(const struct output *o)
{
    size_t done = 0;
    for (; sv_may_rest(sv_me); sv_rest(sv_me, 0)) {
        int flags = never_waits(o->number);
        ssize_t n = put(o, done);
        may_wait(o->number, flags);
        if (n < 0 && errno != EAGAIN)
            return done > 0 ? (ssize_t)done : -1;
        done += n < 0 ? 0 : (size_t)n;
        if (n >= 0 && done == o->size)
            return (ssize_t)done;
    }
    ssize_t n = put(o, done);
    return n >= 0 ? (ssize_t)done + n : done > 0 ? (ssize_t)done : -1;
}

ssize_t selvedge_native_write(int number, const void *from, size_t size)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    return put_all(&(struct output){.number = number, .from = from, .size = size});
}

int selvedge_native_eventfd_write(int number, eventfd_t value)
{
    return selvedge_native_write(number, &value, sizeof value) == sizeof value ? 0 : -1;
}

ssize_t selvedge_native_sendto(int number, const void *from, size_t size, int flags, const struct sockaddr *to,
                               socklen_t n)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    return put_all(&(struct output){number, from, size, 1, flags, to, n});
}

ssize_t selvedge_native_send(int number, const void *from, size_t size, int flags)
{
    return selvedge_native_sendto(number, from, size, flags, NULL, 0);
}

/* The bytes of all parts, one after the other. */
static char *gather(const struct iovec *parts, size_t n, size_t *size)
{
    *size = 0;
    for (size_t i = 0; i < n; i++)
        *size += parts[i].iov_len;
    char *bytes = malloc(*size + 1), *end = bytes;
    if (!bytes)
        abort();
    for (size_t i = 0; i < n; i++)
        end = mempcpy(end, parts[i].iov_base, parts[i].iov_len);
    return bytes;
}

ssize_t selvedge_native_writev(int number, const struct iovec *parts, int n)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    if (!sv_may_rest(sv_me))
        return writev(number, parts, n);
    struct output o = {.number = number};
    o.from = gather(parts, (size_t)n, &o.size);
    ssize_t result = put_all(&o);
    free((char *)o.from);
    return result;
}

/* Descriptors that are sent with a message are not divided. */
ssize_t selvedge_native_sendmsg(int number, const struct msghdr *message, int flags)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    if (!sv_may_rest(sv_me) || message->msg_controllen > 0)
        return sendmsg(number, message, flags);
    struct output o = {number, NULL, 0, 1, flags, message->msg_name, message->msg_namelen};
    o.from = gather(message->msg_iov, message->msg_iovlen, &o.size);
    ssize_t result = put_all(&o);
    free((char *)o.from);
    return result;
}

int selvedge_native_connect(int number, const struct sockaddr *to, socklen_t size)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    for (; sv_may_rest(sv_me); sv_rest(sv_me, 0)) {
        int flags = never_waits(number);
        int result = connect(number, to, size);
        may_wait(number, flags);
        if (result == 0 || (errno != EAGAIN && errno != EINPROGRESS && errno != EALREADY))
            return result;
    }
    return connect(number, to, size);
}
