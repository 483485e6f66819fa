/* Addresses of sockets, and how connections come about: bind, listen, connect, accept. See socket.c.
 *
 * A connection within the program is there as soon as `connect` returns; `accept` takes the oldest one. If there is none,
 * a peer from outside connects, as long as one is left. A local address is a file of the program's world.
 */
#include "socket.h"

#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

static struct socket *listening;
static in_port_t n_ports; /* given out */
#define FIRST_FREE_PORT 40000

static void stop_listening(struct socket *socket)
{
    for (struct socket **s = &listening; *s; s = &(*s)->next) {
        if (*s == socket) {
            *s = socket->next;
            break;
        }
    }
    if (socket->pending)
        __selvedge_unsupported("closing a socket with connections that nobody has accepted");
}
void (*const __selvedge_when_closed)(struct socket *socket) = stop_listening;

/* The size of an address of a family; 0 if it is not one. */
static socklen_t full_size(int domain)
{
    return domain == AF_INET ? sizeof(struct sockaddr_in) : domain == AF_INET6 ? sizeof(struct sockaddr_in6) : 0;
}

/* Copies an address of the program; a negated error number if it does not fit the socket. */
static int copy_address(const struct socket *socket, const struct sockaddr *from, socklen_t size,
                        struct sockaddr_storage *to)
{
    memset(to, 0, sizeof *to);
    if (size > sizeof *to || size < sizeof from->sa_family)
        return -EINVAL;
    memcpy(to, from, size);
    if (to->ss_family != socket->domain)
        return -EAFNOSUPPORT;
    if (socket->domain == AF_UNIX) {
        if (size > sizeof(struct sockaddr_un))
            return -EINVAL;
        if (size == sizeof to->ss_family || ((struct sockaddr_un *)to)->sun_path[0] == 0)
            __selvedge_unsupported("abstract local addresses");
    } else if (size < full_size(socket->domain)) {
        return -EINVAL;
    }
    return 0;
}

static in_port_t *port_of(struct sockaddr_storage *address)
{
    return address->ss_family == AF_INET ? &((struct sockaddr_in *)address)->sin_port
                                         : &((struct sockaddr_in6 *)address)->sin6_port;
}

static int is_any(const struct sockaddr_storage *address)
{
    if (address->ss_family == AF_INET)
        return ((const struct sockaddr_in *)address)->sin_addr.s_addr == INADDR_ANY;
    return memcmp(&((const struct sockaddr_in6 *)address)->sin6_addr, &in6addr_any, sizeof in6addr_any) == 0;
}

static int is_same_host(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
    if (a->ss_family == AF_INET)
        return ((const struct sockaddr_in *)a)->sin_addr.s_addr == ((const struct sockaddr_in *)b)->sin_addr.s_addr;
    return memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr, &((const struct sockaddr_in6 *)b)->sin6_addr,
                  sizeof(struct in6_addr)) == 0;
}

/* Who listens at an internet address. */
static struct socket *find_listener(struct sockaddr_storage *address)
{
    for (struct socket *s = listening; s; s = s->next) {
        if (s->domain == AF_UNIX || *port_of(&s->name) != *port_of(address))
            continue;
        if (s->domain != address->ss_family)
            __selvedge_unsupported("a port of both versions of the internet protocol");
        if (is_any(&s->name) || is_any(address) || is_same_host(&s->name, address))
            return s;
    }
    return NULL;
}

static void take_port(struct socket *socket)
{
    __selvedge_assumed("world.network");
    if (*port_of(&socket->name) == 0)
        *port_of(&socket->name) = __builtin_bswap16((uint16_t)(FIRST_FREE_PORT + n_ports++));
}

static int bind_local(struct socket *socket)
{
    char path[sizeof(struct sockaddr_un) + 1] = {0};
    memcpy(path, ((struct sockaddr_un *)&socket->name)->sun_path, sizeof ((struct sockaddr_un *)0)->sun_path);
    struct place place;
    int error = __selvedge_find(AT_FDCWD, path, NAME_ONLY, ANYTHING, &place);
    if (error < 0)
        return error;
    if (place.node || !place.entry || place.needs_directory)
        return -EADDRINUSE;
    place.entry->node = socket->node = __selvedge_new_node(S_IFSOCK | __selvedge_masked(0777));
    socket->node->is_masked = !__selvedge_mask_is_set();
    socket->node->links = 1;
    return 0;
}

WEAK int bind(int number, const struct sockaddr *to, socklen_t size)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && (socket->name_size > 0 || socket->state != IDLE))
        error = -EINVAL;
    if (error == 0)
        error = copy_address(socket, to, size, &socket->name);
    if (error == 0 && socket->domain == AF_UNIX)
        error = bind_local(socket);
    else if (error == 0 && *port_of(&socket->name) != 0 && find_listener(&socket->name))
        error = -EADDRINUSE;
    if (error == 0) {
        socket->name_size = socket->domain == AF_UNIX ? size : full_size(socket->domain);
        if (socket->domain != AF_UNIX)
            take_port(socket);
    }
    leave_world();
    return (int)outcome(error);
}

WEAK int listen(int number, int backlog)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    if (socket && socket->state == CONNECTED)
        error = -EINVAL;
    if (error == 0 && socket->name_size == 0) {
        if (socket->domain == AF_UNIX) {
            error = -EINVAL;
        } else {
            socket->name.ss_family = (sa_family_t)socket->domain;
            socket->name_size = full_size(socket->domain);
            take_port(socket);
        }
    }
    if (error == 0 && socket->domain != AF_UNIX && socket->state == IDLE && find_listener(&socket->name))
        error = -EADDRINUSE;
    if (error == 0) {
        socket->backlog = backlog < 0 || backlog > SOMAXCONN ? SOMAXCONN : (unsigned)backlog;
        if (socket->state == IDLE) {
            socket->state = LISTENS;
            socket->next = listening;
            listening = socket;
        }
    }
    leave_world();
    return (int)outcome(error);
}

/* Connecting. */

static struct socket *find_local(const struct sockaddr_storage *address, int *error)
{
    char path[sizeof(struct sockaddr_un) + 1] = {0};
    memcpy(path, ((const struct sockaddr_un *)address)->sun_path, sizeof ((struct sockaddr_un *)0)->sun_path);
    struct place place;
    *error = __selvedge_find(AT_FDCWD, path, FOLLOW, ANYTHING, &place);
    if (*error == 0)
        *error = place.node ? -ECONNREFUSED : -ENOENT;
    for (struct socket *s = listening; s; s = s->next) {
        if (place.node && s->node == place.node)
            return s;
    }
    return NULL;
}

static int connect_inside(struct socket *socket, struct socket *listener)
{
    if (listener->n_pending > listener->backlog)
        __selvedge_unsupported("a connection to a socket with a full queue");
    struct socket *end = __selvedge_new_socket(socket->domain);
    __selvedge_join_sockets(socket, end);
    end->name = listener->name;
    end->name_size = listener->name_size;
    end->other = socket->name;
    end->other_size = socket->name_size;
    *listener->last_pending = end;
    listener->last_pending = &end->next;
    listener->n_pending++;
    __selvedge_changed(&listener->for_clients);
    return 0;
}

static int connect_to(struct description *file, const struct sockaddr *to, socklen_t size)
{
    struct socket *socket = file->own;
    if (socket->state != IDLE)
        return socket->state == CONNECTED ? -EISCONN : -EINVAL;
    struct sockaddr_storage address;
    int error = copy_address(socket, to, size, &address);
    if (error < 0)
        return error;
    if (socket->domain != AF_UNIX && never_waits(file))
        __selvedge_unsupported("a connection that nobody waits for");
    struct socket *listener = socket->domain == AF_UNIX ? find_local(&address, &error) : find_listener(&address);
    int is_outside = !listener && __selvedge_peer_is_left() && __selvedge_peer_answers();
    if (!listener && !is_outside)
        return error < 0 ? error : -ECONNREFUSED;
    socket->other = address;
    socket->other_size = size;
    if (socket->domain != AF_UNIX && socket->name_size == 0) {
        socket->name = address;
        *port_of(&socket->name) = 0;
        socket->name_size = full_size(socket->domain);
        take_port(socket);
    }
    if (listener)
        return connect_inside(socket, listener);
    socket->peer = __selvedge_next_peer();
    socket->state = CONNECTED;
    return 0;
}

WEAK int connect(int number, const struct sockaddr *to, socklen_t size)
{
    pthread_testcancel();
    if (__selvedge_may_interrupt())
        __selvedge_assumed("world.uninterrupted");
    int error;
    enter_world();
    if (__selvedge_socket_of(number, &error))
        error = connect_to(description_of(number), to, size);
    leave_world();
    return (int)outcome(error);
}

/* Accepting. */

/* An address of a client outside. */
static void name_client(struct socket *socket)
{
    socket->other.ss_family = (sa_family_t)socket->domain;
    if (socket->domain == AF_UNIX) {
        socket->other_size = sizeof socket->other.ss_family;
        return;
    }
    socket->other_size = full_size(socket->domain);
    __selvedge_assumed("world.network");
    *port_of(&socket->other) = __builtin_bswap16((uint16_t)(FIRST_FREE_PORT + n_ports++));
    if (socket->domain == AF_INET)
        ((struct sockaddr_in *)&socket->other)->sin_addr.s_addr = __builtin_bswap32(INADDR_LOOPBACK);
    else
        ((struct sockaddr_in6 *)&socket->other)->sin6_addr = in6addr_loopback;
}

/* Copies what fits of an address to the program. */
static void give_address(const struct sockaddr_storage *address, socklen_t size, struct sockaddr *to, socklen_t *room)
{
    if (!to)
        return;
    memcpy(to, address, *room < size ? *room : size);
    *room = size;
}

/* A descriptor, or a negated error number. */
static int try_to_accept(struct description *file, int flags, struct socket **taken)
{
    struct socket *listener = file->own, *end = listener->pending;
    if (listener->state != LISTENS)
        return -EINVAL;
    int is_there = end || __selvedge_peer_is_left();
    int failure = is_there ? FAILURE(EMFILE, ECONNABORTED) : 0;
    if (failure < 0)
        return failure;
    if (end) {
        listener->pending = end->next;
        if (!listener->pending)
            listener->last_pending = &listener->pending;
        listener->n_pending--;
        end->next = NULL;
    } else if (!is_there || __selvedge_next_peer_is_late(!never_waits(file) && !has_read_limit(listener))) {
        if (!never_waits(file)) {
            __selvedge_enqueue(&listener->for_clients, 1);
            __selvedge_limit_wait(&listener->read_limit);
        }
        return WOULD_WAIT;
    } else {
        end = __selvedge_new_socket(listener->domain);
        end->peer = __selvedge_next_peer();
        end->state = CONNECTED;
        end->name = listener->name;
        end->name_size = listener->name_size;
        name_client(end);
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
            give_address(&end->other, end->other_size, from, size);
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

/* Names. */

static int tell_name(int number, struct sockaddr *to, socklen_t *room, int of_other)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    struct sockaddr_storage name = {0};
    socklen_t size = 0;
    if (socket) {
        name = of_other ? socket->other : socket->name;
        size = of_other ? socket->other_size : socket->name_size;
        if (of_other && socket->state != CONNECTED)
            error = -ENOTCONN;
        name.ss_family = (sa_family_t)socket->domain;
        if (size == 0)
            size = socket->domain == AF_UNIX ? sizeof name.ss_family : full_size(socket->domain);
    }
    leave_world();
    if (error == 0)
        give_address(&name, size, to, room);
    return (int)outcome(error);
}

WEAK int getsockname(int number, struct sockaddr *restrict to, socklen_t *restrict room)
{
    return tell_name(number, to, room, 0);
}

WEAK int getpeername(int number, struct sockaddr *restrict to, socklen_t *restrict room)
{
    return tell_name(number, to, room, 1);
}
