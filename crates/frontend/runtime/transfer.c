/* Sending and receiving with flags: send, recv and their relatives. See socket.c. */
#include "socket.h"

#include <pthread.h>
#include <string.h>
#include <sys/uio.h>

#define KNOWN_FLAGS (MSG_NOSIGNAL | MSG_DONTWAIT | MSG_PEEK | MSG_WAITALL | MSG_CMSG_CLOEXEC | MSG_MORE | MSG_TRUNC)

static void check_flags(int flags)
{
    if (flags & ~KNOWN_FLAGS)
        __selvedge_unsupported("this flag of send or recv");
}

/* Those that mean something else to one kind of sockets than to the other. */
static void check_kind(const struct socket *socket, int flags)
{
    if (keeps_bounds(socket) ? flags & MSG_MORE : flags & MSG_TRUNC)
        __selvedge_unsupported("this flag of send or recv");
}

/* What the call works on: looked up once, and held on to while it waits, as in descriptors.c. */
struct call {
    int number, may_wait, is_held;
    struct description *file;
};

static int find(struct call *call, int flags)
{
    int error = 0;
    if (!call->file && __selvedge_socket_of(call->number, &error)) {
        call->file = description_of(call->number);
        check_kind(call->file->own, flags);
        call->may_wait = !never_waits(call->file) && !(flags & MSG_DONTWAIT);
    }
    return error;
}

static void hold(struct call *call)
{
    if (!call->is_held)
        call->file->references++;
    call->is_held = 1;
}

static void end(struct call *call)
{
    if (!call->is_held)
        return;
    enter_world();
    __selvedge_forget(call->file);
    leave_world();
}

static ssize_t copy_receiver(const struct call *call, const struct sockaddr *to, socklen_t n, struct address *address)
{
    return to && n > 0 ? __selvedge_copy_address(call->file->own, to, n, address) : 0;
}

/* Why a call may fail where nothing speaks against it. */
static int io_failure(const struct call *call)
{
    return keeps_bounds(call->file->own) ? FAILURE(ENOBUFS, EINTR) : FAILURE(ECONNRESET, EINTR);
}

/* One attempt. */
static ssize_t try_to_send(struct call *call, const unsigned char *from, size_t size, int flags,
                           const struct sockaddr *to, socklen_t n)
{
    struct address address;
    enter_world();
    ssize_t put = find(call, flags);
    if (call->file) {
        put = copy_receiver(call, to, n, &address);
        if (put == 0 && size > 0)
            put = io_failure(call);
        if (put == 0)
            put = __selvedge_send(call->file, from, size, call->may_wait, to && n > 0 ? &address : NULL);
        if (call->may_wait && (put == WOULD_WAIT || (put >= 0 && (size_t)put < size)))
            hold(call);
    }
    leave_world();
    return put;
}

static ssize_t send_bytes(int number, const void *buf, size_t size, int flags, const struct sockaddr *to, socklen_t n)
{
    check_flags(flags);
    pthread_testcancel();
    if (size > 0)
        (void)((const volatile char *)buf)[size - 1];
    unsigned char copy[size ? size : 1];
    memcpy(copy, buf, size);
    __selvedge_shown(copy, size);
    struct call call = {.number = number};
    size_t done = 0;
    ssize_t put;
    for (;;) {
        put = try_to_send(&call, copy + done, size - done, flags, to, n);
        if (put == -EPIPE && !(flags & MSG_NOSIGNAL) && call.file->kind->broken)
            call.file->kind->broken();
        if (put > 0)
            done += (size_t)put;
        if ((put < 0 && put != WOULD_WAIT) || (put >= 0 && done == size) || !call.may_wait)
            break;
        /* What was sent is not sent again: then it ends, as on Linux. */
        if (put < 0 && (put = __selvedge_rest(NULL, done == 0)) < 0)
            break;
    }
    end(&call);
    return done > 0 || put >= 0 ? (ssize_t)done : put;
}

/* One attempt: what it gives goes to the program's buffer outside of the step. */
static ssize_t try_to_receive(struct call *call, unsigned char *to, size_t size, int flags, struct envelope *from)
{
    unsigned char copy[size ? size : 1];
    enter_world();
    ssize_t got = find(call, flags);
    if (call->file)
        __selvedge_must_fit(to, size);
    if (call->file && size > 0 && got == 0)
        got = io_failure(call);
    if (call->file && call->may_wait && got == 0)
        got = __selvedge_slow(call->file);
    if (call->file && got == 0) {
        got = __selvedge_receive(call->file, copy, size, call->may_wait, flags & MSG_PEEK, from);
        if (call->may_wait && (got == WOULD_WAIT || (flags & MSG_WAITALL)))
            hold(call);
    }
    leave_world();
    if (got > 0)
        memcpy(to, copy, (size_t)got);
    return got;
}

/* How much has come; of a message, `from` tells its whole length and the sender. */
static ssize_t receive_bytes(int number, void *buf, size_t size, int flags, struct envelope *from)
{
    memset(from, 0, sizeof *from);
    check_flags(flags);
    pthread_testcancel();
    struct call call = {.number = number};
    size_t done = 0;
    ssize_t got;
    for (;;) {
        got = try_to_receive(&call, (unsigned char *)buf + done, size - done, flags, from);
        if (got > 0)
            done += (size_t)got;
        if (got == WOULD_WAIT && call.may_wait) {
            got = __selvedge_rest(NULL, done == 0);
            if (got < 0)
                break;
        } else if (got <= 0 || keeps_bounds(call.file->own) || !(flags & MSG_WAITALL) || (flags & MSG_PEEK) || !call.may_wait || done == size) {
            break;
        }
    }
    end(&call);
    return done > 0 ? (ssize_t)done : got;
}

WEAK ssize_t send(int number, const void *buf, size_t size, int flags)
{
    return (ssize_t)outcome(send_bytes(number, buf, size, flags, NULL, 0));
}

/* What a call says of a message that was too long for its buffer. */
static ssize_t told_length(ssize_t got, int flags, const struct envelope *from)
{
    return got >= 0 && (flags & MSG_TRUNC) ? (ssize_t)from->length : got;
}

WEAK ssize_t recv(int number, void *buf, size_t size, int flags)
{
    struct envelope from;
    ssize_t got = receive_bytes(number, buf, size, flags, &from);
    return (ssize_t)outcome(told_length(got, flags, &from));
}

WEAK ssize_t sendto(int number, const void *buf, size_t size, int flags, const struct sockaddr *to, socklen_t n)
{
    return (ssize_t)outcome(send_bytes(number, buf, size, flags, to, n));
}

WEAK ssize_t recvfrom(int number, void *restrict buf, size_t size, int flags, struct sockaddr *restrict sender,
                      socklen_t *restrict n)
{
    struct envelope from;
    ssize_t got = receive_bytes(number, buf, size, flags, &from);
    if (got >= 0)
        __selvedge_give_address(&from.address, sender, n);
    return (ssize_t)outcome(told_length(got, flags, &from));
}

/* The sum of the lengths; a negated error number if there are too many. */
static ssize_t total(const struct msghdr *message)
{
    if (message->msg_iovlen > IOV_MAX)
        return -EMSGSIZE;
    size_t sum = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        if (message->msg_iov[i].iov_len > (size_t)SSIZE_MAX - sum)
            return -EINVAL;
        sum += message->msg_iov[i].iov_len;
    }
    return (ssize_t)sum;
}

WEAK ssize_t sendmsg(int number, const struct msghdr *message, int flags)
{
    if (message->msg_controllen > 0)
        __selvedge_unsupported("sendmsg with control data");
    ssize_t size = total(message);
    if (size < 0)
        return (ssize_t)outcome(size);
    unsigned char all[size ? size : 1];
    size_t at = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++) {
        memcpy(all + at, message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
        at += message->msg_iov[i].iov_len;
    }
    return (ssize_t)outcome(send_bytes(number, all, (size_t)size, flags, message->msg_name, message->msg_namelen));
}

WEAK ssize_t recvmsg(int number, struct msghdr *message, int flags)
{
    ssize_t size = total(message);
    if (size < 0)
        return (ssize_t)outcome(size);
    for (size_t i = 0; i < message->msg_iovlen; i++)
        __selvedge_must_fit(message->msg_iov[i].iov_base, message->msg_iov[i].iov_len);
    unsigned char all[size ? size : 1];
    struct envelope from;
    ssize_t got = receive_bytes(number, all, (size_t)size, flags, &from);
    size_t at = 0;
    for (size_t i = 0; i < message->msg_iovlen && got > 0 && at < (size_t)got; i++) {
        size_t left = (size_t)got - at;
        size_t now = message->msg_iov[i].iov_len < left ? message->msg_iov[i].iov_len : left;
        memcpy(message->msg_iov[i].iov_base, all + at, now);
        at += now;
    }
    if (got >= 0) {
        message->msg_controllen = 0;
        if (message->msg_name)
            __selvedge_give_address(&from.address, message->msg_name, &message->msg_namelen);
        message->msg_flags = from.length > (size_t)got ? MSG_TRUNC : 0;
    }
    return (ssize_t)outcome(told_length(got, flags, &from));
}
