/* Stream sockets, local and internet: reading, writing, ends. Connections are made in connect.c.
 *
 * A connection within the program is two channels; one to the outside has a peer. Datagrams and packets are not modelled.
 */
#include "socket.h"

#include <poll.h>
#include <unistd.h>

static void stay_deaf(struct socket *socket) { (void)socket; }
/* Replaced where sockets can listen. */
WEAK void (*const __selvedge_when_closed)(struct socket *socket) = stay_deaf;

static ssize_t not_connected(const struct socket *socket)
{
    return socket->domain == AF_UNIX ? -EINVAL : -ENOTCONN;
}

/* Where a thread waits for a peer that sends nothing before the limit: nobody wakes it. */
static struct queue for_peers;

static ssize_t receive_from_outside(struct socket *socket, unsigned char *to, size_t size, int may_wait, int peeks)
{
    if (socket->reads_shut)
        return 0;
    int may_be_late = !may_wait || has_read_limit(socket);
    ssize_t got = __selvedge_from_peer(socket->peer, to, size, may_be_late, peeks);
    if (got == WOULD_WAIT && may_wait) {
        __selvedge_enqueue(&for_peers, 0);
        __selvedge_limit_wait(&socket->read_limit);
    }
    return got;
}

WEAK ssize_t __selvedge_receive(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks)
{
    struct socket *socket = file->own;
    if (socket->state != CONNECTED)
        return not_connected(socket);
    if (socket->peer)
        return receive_from_outside(socket, to, size, may_wait, peeks);
    if (socket->reads_shut && socket->in->used == 0)
        return 0;
    ssize_t got = __selvedge_take(socket->in, to, size, may_wait, peeks);
    if (got == WOULD_WAIT && may_wait)
        __selvedge_limit_wait(&socket->read_limit);
    return got;
}

WEAK ssize_t __selvedge_send(struct description *file, const unsigned char *from, size_t size, int may_wait)
{
    struct socket *socket = file->own;
    if (socket->writes_shut)
        return -EPIPE;
    if (socket->state != CONNECTED)
        return socket->domain == AF_UNIX ? -ENOTCONN : -EPIPE;
    if (socket->peer)
        return (ssize_t)size;
    if (socket->out->readers == 0 && socket->domain != AF_UNIX)
        __selvedge_assumed("world.network");
    ssize_t put = __selvedge_give(socket->out, from, size, may_wait, 0);
    if (put == WOULD_WAIT && may_wait)
        __selvedge_limit_wait(&socket->write_limit);
    return put;
}

static ssize_t socket_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    return __selvedge_receive(file, to, size, !never_waits(file), 0);
}

static ssize_t socket_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    return __selvedge_send(file, from, size, !never_waits(file));
}

static int socket_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = S_IFSOCK | 0777;
    facts->links = 1;
    return 0;
}

static void shut_reading(struct socket *socket)
{
    if (socket->reads_shut)
        return;
    socket->reads_shut = 1;
    if (socket->in) {
        __selvedge_no_reader(socket->in);
        __selvedge_changed(&socket->in->for_bytes);
    }
}

static void shut_writing(struct socket *socket)
{
    if (socket->writes_shut)
        return;
    socket->writes_shut = 1;
    if (socket->out) {
        __selvedge_no_writer(socket->out);
        __selvedge_changed(&socket->out->for_room);
    }
}

static void release_socket(struct description *file)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        __selvedge_when_closed(socket);
    if (socket->in && socket->in->used > 0)
        socket->out->is_reset = 1;
    shut_reading(socket);
    shut_writing(socket);
}

static int ready_to_accept(struct socket *socket, int must)
{
    if (socket->pending)
        return POLLIN | POLLRDNORM;
    if (!__selvedge_peer_is_left())
        return OUTSIDE;
    return !__selvedge_next_peer_is_late(must) ? POLLIN | POLLRDNORM : 0;
}

static int socket_ready(struct description *file, int must)
{
    struct socket *socket = file->own;
    const int readable = POLLIN | POLLRDNORM, writable = POLLOUT | POLLWRNORM;
    if (socket->state == LISTENS)
        return ready_to_accept(socket, must);
    if (socket->state == IDLE)
        return writable | POLLHUP;
    if (socket->peer)
        return writable | (socket->reads_shut || !__selvedge_peer_is_late(socket->peer, must) ? readable : 0);
    int at_end = socket->in->writers == 0 || socket->reads_shut;
    int ready = socket->in->used > 0 || at_end ? readable : 0;
    if (at_end)
        ready |= POLLRDHUP;
    if (at_end && (socket->writes_shut || socket->out->readers == 0))
        ready |= POLLHUP;
    if (socket->writes_shut || socket->out->readers == 0 || socket->out->used < CAPACITY)
        ready |= writable;
    return ready;
}

static int socket_is_slow(struct description *file)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        return !socket->pending && __selvedge_peer_is_left();
    return socket->peer && !socket->reads_shut;
}

WEAK const struct operations __selvedge_socket_kind = {
    .read = socket_read,
    .is_slow = socket_is_slow,
    .write = socket_write,
    .facts = socket_facts,
    .release = release_socket,
    .wait_to_read = __selvedge_wait_in_queue,
    .wait_to_write = __selvedge_wait_in_queue,
    .broken = __selvedge_broken_pipe,
    .ready = socket_ready,
};

WEAK struct socket *__selvedge_new_socket(int domain)
{
    struct socket *socket = __selvedge_keep(sizeof *socket);
    socket->domain = domain;
    socket->last_pending = &socket->pending;
    return socket;
}

WEAK int __selvedge_install_socket(struct socket *socket, int flags)
{
    struct description *file =
        __selvedge_describe(&__selvedge_socket_kind, O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0), NULL);
    file->own = socket;
    file->references = 1;
    return __selvedge_install(file, 0, flags & SOCK_CLOEXEC ? FD_CLOEXEC : 0);
}

WEAK void __selvedge_join_sockets(struct socket *a, struct socket *b)
{
    a->in = b->out = __selvedge_new_channel();
    b->in = a->out = __selvedge_new_channel();
    a->state = b->state = CONNECTED;
}

WEAK struct socket *__selvedge_socket_of(int number, int *error)
{
    struct description *file = description_of(number);
    *error = !file ? -EBADF : file->kind != &__selvedge_socket_kind ? -ENOTSOCK : 0;
    return *error ? NULL : file->own;
}

/* Zero, or a negated error number. */
static int check_type(int domain, int type, int protocol)
{
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        __selvedge_unsupported("sockets other than local and internet ones");
    if (kind != SOCK_STREAM)
        __selvedge_unsupported("sockets other than streams");
    if (protocol != 0 && (domain == AF_UNIX || protocol != 6))
        return -EPROTONOSUPPORT;
    return 0;
}

WEAK int socket(int domain, int type, int protocol)
{
    int result = check_type(domain, type, protocol);
    if (result == 0) {
        enter_world();
        result = FAILURE(EMFILE);
        if (result == 0)
            result = __selvedge_install_socket(__selvedge_new_socket(domain), type);
        leave_world();
    }
    return (int)outcome(result);
}

WEAK int socketpair(int domain, int type, int protocol, int ends[2])
{
    int result = check_type(domain, type, protocol);
    if (result == 0 && domain != AF_UNIX)
        result = -EOPNOTSUPP;
    if (result < 0)
        return (int)outcome(result);
    enter_world();
    result = FAILURE(EMFILE);
    if (result < 0) {
        leave_world();
        return (int)outcome(result);
    }
    struct socket *a = __selvedge_new_socket(domain), *b = __selvedge_new_socket(domain);
    __selvedge_join_sockets(a, b);
    int first = __selvedge_install_socket(a, type), second = __selvedge_install_socket(b, type);
    leave_world();
    ends[0] = first;
    ends[1] = second;
    return 0;
}

WEAK int shutdown(int number, int how)
{
    if (how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR)
        return (int)outcome(-EINVAL);
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && socket->state == LISTENS)
        __selvedge_unsupported("shutdown of a socket that listens");
    if (socket && socket->state == IDLE)
        error = -ENOTCONN;
    if (error == 0 && how != SHUT_WR)
        shut_reading(socket);
    if (error == 0 && how != SHUT_RD)
        shut_writing(socket);
    leave_world();
    return (int)outcome(error);
}
