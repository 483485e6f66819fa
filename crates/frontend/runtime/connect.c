/* How connections come about: listen, connect, accept. See socket.c, and address.c for addresses.
 *
 * A connection within the program is there as soon as `connect` returns; `accept` takes the oldest one. If there is none,
 * a peer from outside connects, as long as one is left.
 */
#include "socket.h"

#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

static struct socket *listening;

/* Those who connected and were not accepted are told. */
static void reset(struct socket *end)
{
    if (keeps_bounds(end)) {
        end->partner->error = ECONNRESET;
        __selvedge_shut_messages(end, SHUT_RDWR);
        return;
    }
    end->out->is_reset = 1;
    __selvedge_no_writer(end->out);
    __selvedge_no_reader(end->in);
    __selvedge_changed(&end->in->for_room);
}

static void stop_listening(struct socket *socket)
{
    __selvedge_n_places--;
    for (struct socket **s = &listening; *s; s = &(*s)->next) {
        if (*s == socket) {
            *s = socket->next;
            break;
        }
    }
    socket->is_closed = 1;
    if (socket->pending && socket->domain != AF_UNIX)
        __selvedge_assumed("world.network");
    for (struct socket *end = socket->pending; end; end = end->next)
        reset(end);
    __selvedge_changed(&socket->for_place);
}
void (*const __selvedge_when_closed)(struct socket *socket) = stop_listening;

/* Who listens at an internet address. */
static struct socket *find_listener(struct address *address)
{
    for (struct socket *s = listening; s; s = s->next) {
        if (s->domain == AF_UNIX || *__selvedge_port(&s->name) != *__selvedge_port(address))
            continue;
        if (s->domain != address->bytes.ss_family)
            __selvedge_unsupported("a port of both versions of the internet protocol");
        if (__selvedge_is_any(&s->name) || __selvedge_is_any(address) || __selvedge_is_same_host(&s->name, address))
            return s;
    }
    return NULL;
}

WEAK int listen(int number, int backlog)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && (socket->state == CONNECTED || socket->progress == OPENING))
        error = -EINVAL;
    if (socket && socket->type == SOCK_DGRAM)
        error = -EOPNOTSUPP;
    if (error == 0 && socket->name.size == 0) {
        if (socket->domain == AF_UNIX)
            error = -EINVAL;
        else
            __selvedge_take_port(socket);
    }
    if (error == 0 && socket->domain != AF_UNIX && socket->state == IDLE && find_listener(&socket->name))
        error = -EADDRINUSE;
    if (error == 0) {
        socket->backlog = backlog < 0 || backlog > SOMAXCONN ? SOMAXCONN : (unsigned)backlog;
        if (socket->state == IDLE) {
            socket->state = LISTENS;
            socket->next = listening;
            listening = socket;
            __selvedge_n_places++;
        }
    }
    leave_world();
    return (int)outcome(error);
}

/* Connecting. */

/* How long Linux tries to reach a socket of the internet whose queue is full: all but the last second. */
static const struct timespec patience = {127, 0};

static int wait_for_place(struct description *file, struct socket *listener)
{
    if (listener->domain == AF_UNIX && never_waits(file))
        return -EAGAIN;
    if (never_waits(file))
        __selvedge_unsupported("a connection that nobody waits for, to a socket with a full queue");
    __selvedge_enqueue(&listener->for_place, 0);
    struct socket *socket = file->own;
    __selvedge_limit_wait(socket->domain == AF_UNIX ? &socket->write_limit : &patience);
    return WOULD_WAIT;
}

static void connect_inside(struct socket *socket, struct socket *listener)
{
    struct socket *end = __selvedge_new_socket(socket->domain, socket->type);
    __selvedge_join_sockets(socket, end);
    end->name = listener->name;
    end->other = socket->name;
    *listener->last_pending = end;
    listener->last_pending = &end->next;
    listener->n_pending++;
    __selvedge_changed(&listener->for_clients);
    happened(listener->file, POLLIN | POLLPRI | POLLRDNORM | POLLRDBAND);
    /* A local socket does not tell that it is connected now. */
    if (socket->domain != AF_UNIX)
        happened(socket->file, 0);
}

/* What is at an address: a socket that listens, or why there is none. */
static struct found find_server(struct socket *socket, struct address *address)
{
    if (socket->domain != AF_UNIX) {
        struct socket *listener = find_listener(address), *owner = __selvedge_owner(address, SOCK_STREAM);
        if (!listener && owner == socket)
            __selvedge_unsupported("a connection of a socket to itself");
        return (struct found){listener, -ECONNREFUSED, !owner};
    }
    struct found found = __selvedge_find_local(address, socket->type);
    if (!found.socket)
        return found;
    found.may_be_strange = 0;
    if (found.socket->type != socket->type)
        found.error = -EPROTOTYPE;
    if (found.error == -EPROTOTYPE || found.socket->state != LISTENS)
        found.socket = NULL;
    return found;
}

static int stranger_answers(const struct found *found)
{
    return found->may_be_strange && __selvedge_peer_is_left(NULL) && __selvedge_peer_answers();
}

/* The next call after one that did not wait. */
static int connect_again(struct socket *socket)
{
    if (socket->state == CONNECTED && socket->peer && __selvedge_peer_is_far(socket->peer, 0))
        return -EALREADY;
    socket->progress = SETTLED;
    if (socket->state == CONNECTED)
        return 0;
    return socket->error ? take_error(socket) : -ECONNABORTED;
}

/* The outcome of a connection to somebody outside. */
static int connect_outside(struct socket *socket, const struct found *found)
{
    if (!stranger_answers(found))
        return found->error;
    socket->peer = __selvedge_next_peer();
    socket->state = CONNECTED;
    if (socket->domain != AF_UNIX)
        happened(socket->file, 0);
    return 0;
}

/* A local socket that is connected, or listens, is told so if somebody is there. */
static int connect_more(struct socket *socket, struct address *address)
{
    if (socket->domain == AF_UNIX) {
        struct found found = find_server(socket, address);
        if (!found.socket && !stranger_answers(&found))
            return found.error;
    }
    return socket->state == CONNECTED ? -EISCONN : -EINVAL;
}

static int connect_stream(struct description *file, const struct address *given)
{
    struct socket *socket = file->own;
    struct address address = *given;
    int is_local = socket->domain == AF_UNIX;
    if (!is_local)
        __selvedge_meant_host(&address);
    struct found found = find_server(socket, &address);
    struct socket *listener = found.socket;
    if (listener && listener->n_pending > listener->backlog)
        return wait_for_place(file, listener);
    int failure = is_local ? 0 : FAILURE(ETIMEDOUT, ENETUNREACH, EHOSTUNREACH);
    if (failure < 0 && !never_waits(file))
        return failure;
    int result = failure < 0 ? failure : listener ? 0 : connect_outside(socket, &found);
    if (result == 0) {
        socket->other = address;
        if (!is_local) {
            __selvedge_take_port(socket);
            socket->name = __selvedge_source(socket, &address);
        }
        if (listener)
            connect_inside(socket, listener);
    }
    if (is_local || !never_waits(file))
        return result;
    if (file->watchers)
        __selvedge_unsupported("a connection that nobody waits for, of a member of epoll");
    socket->progress = OPENING;
    socket->error = -result;
    return -EINPROGRESS;
}

static int connect_to(struct description *file, const struct sockaddr *to, socklen_t size)
{
    struct socket *socket = file->own;
    int is_nobody = size >= sizeof to->sa_family && to->sa_family == AF_UNSPEC;
    struct address address;
    if (socket->type == SOCK_DGRAM) {
        int error = is_nobody ? 0 : __selvedge_copy_address(socket, to, size, &address);
        return error < 0 ? error : __selvedge_connect_datagrams(socket, is_nobody ? NULL : &address);
    }
    if (is_nobody && socket->domain != AF_UNIX)
        __selvedge_unsupported("ending a connection by connect");
    if (socket->progress != SETTLED)
        return connect_again(socket);
    int error = __selvedge_copy_address(socket, to, size, &address);
    if (error < 0)
        return error;
    return socket->state == IDLE ? connect_stream(file, &address) : connect_more(socket, &address);
}

WEAK int connect(int number, const struct sockaddr *to, socklen_t size)
{
    pthread_testcancel();
    if (__selvedge_may_interrupt())
        __selvedge_assumed("world.uninterrupted");
    for (;;) {
        int error;
        struct description *file = NULL;
        enter_world();
        struct socket *socket = __selvedge_socket_of(number, &error);
        if (socket) {
            file = description_of(number);
            error = connect_to(file, to, size);
        }
        leave_world();
        if (error != WOULD_WAIT || never_waits(file))
            return (int)outcome(error);
        error = __selvedge_rest(NULL, 1);
        if (error < 0)
            return (int)outcome(error == -EAGAIN && socket->domain != AF_UNIX ? -ETIMEDOUT : error);
    }
}

/* Accepting. */

/* Copies the address of a client to the program; a local one without a name has its family. */
static void give_name(const struct socket *end, struct sockaddr *to, socklen_t *room)
{
    struct address name = end->other;
    name.bytes.ss_family = (sa_family_t)end->domain;
    if (name.size == 0)
        name.size = sizeof name.bytes.ss_family;
    __selvedge_give_address(&name, to, room);
}

/* A descriptor, or a negated error number. */
static int try_to_accept(struct description *file, int flags, struct socket **taken)
{
    struct socket *listener = file->own, *end = listener->pending;
    if (listener->type == SOCK_DGRAM)
        return -EOPNOTSUPP;
    if (listener->state != LISTENS)
        return -EINVAL;
    int is_there = end || __selvedge_peer_is_left(listener);
    int failure = is_there ? FAILURE(EMFILE, ECONNABORTED) : 0;
    if (failure < 0)
        return failure;
    if (end) {
        listener->pending = end->next;
        if (!listener->pending)
            listener->last_pending = &listener->pending;
        listener->n_pending--;
        end->next = NULL;
        __selvedge_changed(&listener->for_place);
    } else if (!is_there || __selvedge_next_peer_is_late(listener, !never_waits(file) && !has_read_limit(listener))) {
        if (!never_waits(file)) {
            __selvedge_enqueue(&listener->for_clients, 1);
            __selvedge_limit_wait(&listener->read_limit);
        }
        return WOULD_WAIT;
    } else {
        end = __selvedge_new_socket(listener->domain, listener->type);
        end->peer = __selvedge_next_peer();
        end->state = CONNECTED;
        end->name = listener->name;
        __selvedge_strange_address(end->domain, &end->other);
    }
    if (end->domain != AF_UNIX) {
        end->read_limit = listener->read_limit;
        end->write_limit = listener->write_limit;
    }
    *taken = end;
    return __selvedge_install_socket(end, flags);
}

static int accept_client(int number, struct sockaddr *from, socklen_t *size, int flags)
{
    pthread_testcancel();
    if (flags & ~(SOCK_NONBLOCK | SOCK_CLOEXEC))
        return -EINVAL;
    for (;;) {
        int result;
        struct socket *end = NULL;
        struct description *file = NULL;
        enter_world();
        if (__selvedge_socket_of(number, &result)) {
            file = description_of(number);
            result = __selvedge_slow(file);
            if (result == 0)
                result = try_to_accept(file, flags, &end);
        }
        leave_world();
        if (end)
            give_name(end, from, size);
        if (result != WOULD_WAIT || never_waits(file))
            return result;
        result = __selvedge_rest(NULL, 1);
        if (result < 0)
            return result;
    }
}

WEAK int accept4(int number, struct sockaddr *restrict from, socklen_t *restrict size, int flags)
{
    return (int)outcome(accept_client(number, from, size, flags));
}

WEAK int accept(int number, struct sockaddr *restrict from, socklen_t *restrict size)
{
    return (int)outcome(accept_client(number, from, size, 0));
}
