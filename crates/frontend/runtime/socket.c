/* Stream sockets, local and internet: reading, writing, ends. Connections are made in connect.c; those that keep the
 * bounds of messages are in message.c.
 *
 * A connection within the program is two channels; one to the outside has a peer.
 */
#include "socket.h"

#include <poll.h>
#include <unistd.h>

static void stay_deaf(struct socket *socket) { (void)socket; }
/* Replaced where sockets can listen. */
WEAK void (*const __selvedge_when_closed)(struct socket *socket) = stay_deaf;

/* Reading where there is no connection: the attempt to make one may have failed, or not have ended yet. */
static ssize_t not_connected(struct socket *socket)
{
    if (socket->error)
        return take_error(socket);
    if (socket->progress == FAILED || socket->reads_shut)
        return 0;
    return socket->domain == AF_UNIX ? -EINVAL : -ENOTCONN;
}

/* Whether the connection that nobody waited for does not stand yet; it does for who `must` wait. */
static int is_opening(struct socket *socket, int must)
{
    if (socket->progress == OPENING && socket->peer && __selvedge_peer_is_far(socket->peer, must))
        return 1;
    if (socket->progress == OPENING && socket->state != CONNECTED)
        socket->progress = FAILED;
    return 0;
}

/* Where a thread waits for a peer that sends nothing before the limit: nobody wakes it. */
static struct queue for_peers;

/* Whether bytes that come now can be read: on Linux a socket of the internet goes on to take them after SHUT_RD, as long as
 * it may write. */
static int takes_bytes(const struct socket *socket)
{
    return !socket->reads_shut || (socket->domain != AF_UNIX && !socket->writes_shut);
}

/* After SHUT_RD nobody waits for bytes. */
static ssize_t receive_what_came(struct socket *socket, unsigned char *to, size_t size, int peeks)
{
    if (socket->is_deaf)
        return 0;
    ssize_t got = __selvedge_from_peer(socket->peer, to, size, 1, peeks);
    if (got != WOULD_WAIT)
        return got;
    socket->is_deaf = !takes_bytes(socket);
    return 0;
}

static ssize_t receive_from_outside(struct socket *socket, unsigned char *to, size_t size, int may_wait, int peeks)
{
    if (socket->reads_shut)
        return receive_what_came(socket, to, size, peeks);
    int may_be_late = !may_wait || has_read_limit(socket);
    ssize_t got = __selvedge_from_peer(socket->peer, to, size, may_be_late, peeks);
    if (got == WOULD_WAIT && may_wait) {
        __selvedge_enqueue(&for_peers, 0);
        __selvedge_limit_wait(&socket->read_limit);
    }
    return got;
}

WEAK ssize_t __selvedge_receive(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks,
                                struct envelope *from)
{
    struct socket *socket = file->own;
    if (keeps_bounds(socket))
        return __selvedge_collect(file, to, size, may_wait, peeks, from);
    if (is_opening(socket, may_wait))
        return WOULD_WAIT;
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

/* Streams know their other end: of the internet they forget an address, local ones refuse it. */
WEAK ssize_t __selvedge_send(struct description *file, const unsigned char *from, size_t size, int may_wait,
                             const struct address *to)
{
    struct socket *socket = file->own;
    if (keeps_bounds(socket))
        return __selvedge_post(file, from, size, may_wait, to);
    if (to && socket->domain == AF_UNIX)
        return socket->state == CONNECTED ? -EISCONN : -EOPNOTSUPP;
    if (is_opening(socket, may_wait))
        return WOULD_WAIT;
    if (socket->error)
        return take_error(socket);
    if (socket->writes_shut)
        return -EPIPE;
    if (socket->state != CONNECTED)
        return socket->domain == AF_UNIX ? -ENOTCONN : -EPIPE;
    if (socket->peer)
        return (ssize_t)size;
    if (socket->out->readers == 0 && socket->domain != AF_UNIX) {
        __selvedge_assumed("world.network");
        if (socket->in->is_reset) {
            socket->in->is_reset = 0;
            return -ECONNRESET;
        }
    }
    ssize_t put = __selvedge_give(socket->out, from, size, may_wait, 0);
    if (put == WOULD_WAIT && may_wait)
        __selvedge_limit_wait(&socket->write_limit);
    return put;
}

static ssize_t socket_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    return __selvedge_receive(file, to, size, !never_waits(file), 0, NULL);
}

static ssize_t socket_write(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    return __selvedge_send(file, from, size, !never_waits(file), NULL);
}

static int socket_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = S_IFSOCK | 0777;
    facts->links = 1;
    return 0;
}

static void refuse_bytes(struct socket *socket)
{
    if (socket->in && socket->in->readers > 0 && !takes_bytes(socket))
        __selvedge_no_reader(socket->in);
}

static void shut_reading(struct socket *socket)
{
    if (socket->reads_shut)
        return;
    socket->reads_shut = 1;
    if (socket->in) {
        __selvedge_changed(&socket->in->for_bytes);
        happened(socket->in->reader, 0);
    }
    refuse_bytes(socket);
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
    refuse_bytes(socket);
}

static void release_socket(struct description *file)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        __selvedge_when_closed(socket);
    __selvedge_unbind(socket);
    if (socket->in && socket->in->used > 0)
        socket->out->is_reset = 1;
    shut_reading(socket);
    shut_writing(socket);
}

static int ready_to_accept(struct socket *socket, int must)
{
    if (socket->pending)
        return POLLIN | POLLRDNORM;
    if (!__selvedge_peer_is_left(socket))
        return 0;
    return !__selvedge_next_peer_is_late(socket, must) ? POLLIN | POLLRDNORM : 0;
}

static int socket_ready(struct description *file, int must)
{
    struct socket *socket = file->own;
    const int readable = POLLIN | POLLRDNORM, writable = POLLOUT | POLLWRNORM;
    if (socket->state == LISTENS)
        return ready_to_accept(socket, must);
    if (is_opening(socket, must))
        return 0;
    if (socket->state == IDLE) {
        int ended = socket->progress == FAILED || socket->reads_shut ? readable | POLLRDHUP : 0;
        return writable | POLLHUP | ended | (socket->error ? POLLERR : 0);
    }
    if (socket->peer && socket->reads_shut)
        return writable | readable | POLLRDHUP | (socket->writes_shut ? POLLHUP : 0);
    if (socket->peer)
        return writable | (!__selvedge_peer_is_late(socket->peer, must) ? readable : 0);
    int at_end = socket->in->writers == 0 || socket->reads_shut;
    int ready = socket->in->used > 0 || at_end ? readable : 0;
    if (at_end)
        ready |= POLLRDHUP | (socket->in->is_reset ? POLLERR : 0);
    if (at_end && (socket->writes_shut || socket->out->readers == 0))
        ready |= POLLHUP;
    if (socket->writes_shut || socket->out->readers == 0 || socket->out->used < CAPACITY)
        ready |= writable;
    return ready;
}

static unsigned socket_arrived(struct description *file, unsigned told, int must)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        return __selvedge_clients_arrived(socket, told, must);
    return socket->peer && !socket->reads_shut ? __selvedge_peer_arrived(socket->peer, told, must) : told;
}

static int socket_is_slow(struct description *file)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        return !socket->pending && __selvedge_peer_is_left(socket);
    return socket->peer && !socket->reads_shut;
}

static int is_untold(struct description *file) { return ((struct socket *)file->own)->progress == OPENING; }

static int listens(struct description *file) { return ((struct socket *)file->own)->state == LISTENS; }

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
    .arrived = socket_arrived,
    .is_for_outside = listens,
    .is_untold = is_untold,
};

WEAK struct socket *__selvedge_new_socket(int domain, int type)
{
    struct socket *socket = __selvedge_keep(sizeof *socket);
    socket->domain = domain;
    socket->type = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    socket->last_mail = &socket->mail;
    socket->last_pending = &socket->pending;
    return socket;
}

/* Who is told of what happens in its channels. */
static void take_ends(struct socket *socket)
{
    if (!socket->in)
        return;
    socket->in->reader = socket->file;
    socket->out->writer = socket->file;
}

WEAK int __selvedge_install_socket(struct socket *socket, int flags)
{
    const struct operations *kind = keeps_bounds(socket) ? &__selvedge_message_kind : &__selvedge_socket_kind;
    struct description *file = __selvedge_describe(kind, O_RDWR | (flags & SOCK_NONBLOCK ? O_NONBLOCK : 0), NULL);
    file->own = socket;
    file->references = 1;
    socket->file = file;
    take_ends(socket);
    return __selvedge_install(file, 0, flags & SOCK_CLOEXEC ? FD_CLOEXEC : 0);
}

WEAK void __selvedge_join_sockets(struct socket *a, struct socket *b)
{
    a->state = b->state = CONNECTED;
    if (keeps_bounds(a)) {
        a->partner = b;
        b->partner = a;
        return;
    }
    int kind = a->domain == AF_UNIX ? LOCAL : INTERNET;
    a->in = b->out = __selvedge_new_channel(kind);
    b->in = a->out = __selvedge_new_channel(kind);
    take_ends(a);
    take_ends(b);
}

WEAK struct socket *__selvedge_socket_of(int number, int *error)
{
    struct description *file = description_of(number);
    int is_socket = file && (file->kind == &__selvedge_socket_kind || file->kind == &__selvedge_message_kind);
    *error = !file ? -EBADF : !is_socket ? -ENOTSOCK : 0;
    return *error ? NULL : file->own;
}

/* Zero, or a negated error number. */
static int check_type(int domain, int type, int protocol)
{
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (domain != AF_UNIX && domain != AF_INET && domain != AF_INET6)
        __selvedge_unsupported("sockets other than local and internet ones");
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET)
        __selvedge_unsupported("sockets other than streams, datagrams and packets");
    if (domain == AF_UNIX)
        return protocol != 0 && protocol != AF_UNIX ? -EPROTONOSUPPORT : 0;
    if (kind == SOCK_SEQPACKET)
        return -ESOCKTNOSUPPORT;
    return protocol != 0 && protocol != (kind == SOCK_STREAM ? IPPROTO_TCP : IPPROTO_UDP) ? -EPROTONOSUPPORT : 0;
}

WEAK int socket(int domain, int type, int protocol)
{
    int result = check_type(domain, type, protocol);
    if (result == 0) {
        enter_world();
        result = FAILURE(EMFILE);
        if (result == 0)
            result = __selvedge_install_socket(__selvedge_new_socket(domain, type), type);
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
    struct socket *a = __selvedge_new_socket(domain, type), *b = __selvedge_new_socket(domain, type);
    __selvedge_join_sockets(a, b);
    int first = __selvedge_install_socket(a, type), second = __selvedge_install_socket(b, type);
    leave_world();
    ends[0] = first;
    ends[1] = second;
    return 0;
}

WEAK int shutdown(int number, int how)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && how != SHUT_RD && how != SHUT_WR && how != SHUT_RDWR) {
        leave_world();
        return (int)outcome(-EINVAL);
    }
    if (socket && socket->state == LISTENS)
        __selvedge_unsupported("shutdown of a socket that listens");
    if (socket && keeps_bounds(socket)) {
        error = __selvedge_shut_messages(socket, how);
        leave_world();
        return (int)outcome(error);
    }
    if (socket && socket->state == IDLE && socket->domain != AF_UNIX)
        error = -ENOTCONN;
    if (error == 0 && how != SHUT_WR)
        shut_reading(socket);
    if (error == 0 && how != SHUT_RD)
        shut_writing(socket);
    leave_world();
    return (int)outcome(error);
}
