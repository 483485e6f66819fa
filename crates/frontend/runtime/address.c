/* Addresses of sockets: bind, and the names of ends. See socket.h.
 *
 * A local address is a file of the program's world, or an abstract one: bytes after a zero, which no file has. Ports that
 * nobody chose are counted.
 */
#include "socket.h"

#include <stddef.h>
#include <string.h>
#include <sys/un.h>
#include <unistd.h>

WEAK struct socket *__selvedge_bound;
static in_port_t n_ports;      /* given out */
static unsigned n_local_names; /* given out */
#define FIRST_FREE_PORT 40000
#define PATH_AT offsetof(struct sockaddr_un, sun_path)

WEAK socklen_t __selvedge_address_size(int domain)
{
    return domain == AF_INET ? sizeof(struct sockaddr_in) : domain == AF_INET6 ? sizeof(struct sockaddr_in6) : 0;
}

static const char *path_of(const struct address *address)
{
    return ((const struct sockaddr_un *)&address->bytes)->sun_path;
}

static int is_abstract(const struct address *address) { return address->size > PATH_AT && path_of(address)[0] == 0; }

WEAK int __selvedge_copy_address(const struct socket *socket, const struct sockaddr *from, socklen_t size,
                                 struct address *to)
{
    memset(to, 0, sizeof *to);
    if (size > sizeof to->bytes || size < sizeof from->sa_family)
        return -EINVAL;
    memcpy(&to->bytes, from, size);
    to->size = size;
    if (socket->domain == AF_UNIX)
        return to->bytes.ss_family != AF_UNIX || size > sizeof(struct sockaddr_un) ? -EINVAL : 0;
    if (size < __selvedge_address_size(socket->domain))
        return -EINVAL;
    to->size = __selvedge_address_size(socket->domain);
    return to->bytes.ss_family != socket->domain ? -EAFNOSUPPORT : 0;
}

WEAK void __selvedge_give_address(const struct address *address, struct sockaddr *to, socklen_t *room)
{
    if (!to)
        return;
    memcpy(to, &address->bytes, *room < address->size ? *room : address->size);
    *room = address->size;
}

WEAK in_port_t *__selvedge_port(struct address *address)
{
    return address->bytes.ss_family == AF_INET ? &((struct sockaddr_in *)&address->bytes)->sin_port
                                               : &((struct sockaddr_in6 *)&address->bytes)->sin6_port;
}

static struct in6_addr *host6(const struct address *address)
{
    return &((struct sockaddr_in6 *)&address->bytes)->sin6_addr;
}

static in_addr_t *host4(const struct address *address)
{
    return &((struct sockaddr_in *)&address->bytes)->sin_addr.s_addr;
}

WEAK int __selvedge_is_any(const struct address *address)
{
    if (address->bytes.ss_family == AF_INET)
        return *host4(address) == INADDR_ANY;
    return memcmp(host6(address), &in6addr_any, sizeof in6addr_any) == 0;
}

WEAK int __selvedge_is_same_host(const struct address *a, const struct address *b)
{
    if (a->bytes.ss_family == AF_INET)
        return *host4(a) == *host4(b);
    return memcmp(host6(a), host6(b), sizeof(struct in6_addr)) == 0;
}

WEAK int __selvedge_is_same_address(struct address *a, struct address *b)
{
    return a->bytes.ss_family == b->bytes.ss_family && *__selvedge_port(a) == *__selvedge_port(b) &&
           __selvedge_is_same_host(a, b);
}

static void set_loopback(struct address *address)
{
    if (address->bytes.ss_family == AF_INET)
        *host4(address) = __builtin_bswap32(INADDR_LOOPBACK);
    else
        *host6(address) = in6addr_loopback;
}

WEAK void __selvedge_meant_host(struct address *address)
{
    if (__selvedge_is_any(address))
        set_loopback(address);
}

static int is_loopback(const struct address *address)
{
    if (address->bytes.ss_family == AF_INET)
        return (*host4(address) & 255) == 127;
    return memcmp(host6(address), &in6addr_loopback, sizeof in6addr_loopback) == 0;
}

WEAK struct socket *__selvedge_owner(struct address *address, int type)
{
    for (struct socket *s = __selvedge_bound; s; s = s->next_bound) {
        if (s->is_named && s->type == type && s->domain == address->bytes.ss_family &&
            *__selvedge_port(&s->name) == *__selvedge_port(address) &&
            (__selvedge_is_any(&s->name) ? is_loopback(address) : __selvedge_is_same_host(&s->name, address)))
            return s;
    }
    return NULL;
}

static void add_bound(struct socket *socket)
{
    socket->next_bound = __selvedge_bound;
    __selvedge_bound = socket;
    __selvedge_n_places += socket->type == SOCK_DGRAM;
}

WEAK void __selvedge_unbind(struct socket *socket)
{
    for (struct socket **s = &__selvedge_bound; *s; s = &(*s)->next_bound) {
        if (*s == socket) {
            *s = socket->next_bound;
            __selvedge_n_places -= socket->type == SOCK_DGRAM;
            return;
        }
    }
}

static in_port_t next_port(void)
{
    __selvedge_assumed("world.network");
    return __builtin_bswap16((uint16_t)(FIRST_FREE_PORT + n_ports++));
}

WEAK void __selvedge_take_port(struct socket *socket)
{
    if (socket->name.size == 0) {
        socket->name.bytes.ss_family = (sa_family_t)socket->domain;
        socket->name.size = __selvedge_address_size(socket->domain);
        add_bound(socket);
    }
    if (*__selvedge_port(&socket->name) == 0)
        *__selvedge_port(&socket->name) = next_port();
}

WEAK struct address __selvedge_source(struct socket *socket, struct address *to)
{
    struct address source = socket->name;
    if (!__selvedge_is_any(&source))
        return source;
    in_port_t port = *__selvedge_port(&source);
    source = *to;
    if (is_loopback(&source))
        set_loopback(&source);
    *__selvedge_port(&source) = port;
    return source;
}

WEAK void __selvedge_strange_address(int domain, struct address *to)
{
    memset(to, 0, sizeof *to);
    to->bytes.ss_family = (sa_family_t)domain;
    if (domain == AF_UNIX)
        return;
    to->size = __selvedge_address_size(domain);
    *__selvedge_port(to) = next_port();
    set_loopback(to);
}

/* Local addresses. */

static void copy_path(const struct address *address, char *path)
{
    memset(path, 0, sizeof(struct sockaddr_un) + 1);
    memcpy(path, path_of(address), sizeof ((struct sockaddr_un *)0)->sun_path);
}

static struct socket *find_abstract(const struct address *address, int type)
{
    for (struct socket *s = __selvedge_bound; s; s = s->next_bound) {
        if (s->domain == AF_UNIX && s->type == type && s->name.size == address->size &&
            memcmp(&s->name.bytes, &address->bytes, address->size) == 0)
            return s;
    }
    return NULL;
}

/* Where the program has made a socket, or has removed one, nobody outside is. */
static struct found find_path(const char *path)
{
    struct place place;
    int failure = __selvedge_find(AT_FDCWD, path, FOLLOW, ANYTHING, &place);
    if (failure < 0)
        return (struct found){.error = failure, .may_be_strange = 1};
    struct found found = {.error = -ECONNREFUSED};
    found.may_be_strange = !(place.entry && place.entry->had_socket) && !(place.node && IS(place.node, S_IFSOCK));
    if (!place.node) {
        found.error = -ENOENT;
        return found;
    }
    for (struct socket *s = __selvedge_bound; s && !found.socket; s = s->next_bound) {
        if (s->node == place.node)
            found.socket = s;
    }
    return found;
}

WEAK struct found __selvedge_find_local(const struct address *address, int type)
{
    if (address->size <= PATH_AT)
        return (struct found){.error = -EINVAL};
    if (is_abstract(address))
        return (struct found){find_abstract(address, type), -ECONNREFUSED, 1};
    char path[sizeof(struct sockaddr_un) + 1];
    copy_path(address, path);
    return find_path(path);
}

/* The system picks a name: five digits. */
static void pick_local(struct socket *socket)
{
    __selvedge_assumed("world.network");
    char *path = ((struct sockaddr_un *)&socket->name.bytes)->sun_path;
    unsigned number = n_local_names++;
    path[0] = 0;
    for (int i = 5; i > 0; i--, number /= 16)
        path[i] = "0123456789abcdef"[number % 16];
    socket->name.size = PATH_AT + 6;
}

static int bind_local(struct socket *socket)
{
    if (socket->name.size <= PATH_AT) {
        pick_local(socket);
        return 0;
    }
    if (is_abstract(&socket->name)) {
        __selvedge_assumed("world.network");
        return find_abstract(&socket->name, socket->type) ? -EADDRINUSE : 0;
    }
    char path[sizeof(struct sockaddr_un) + 1];
    copy_path(&socket->name, path);
    struct place place;
    int error = __selvedge_find(AT_FDCWD, path, NAME_ONLY, ANYTHING, &place);
    if (error < 0)
        return error;
    if (place.node || !place.entry || place.needs_directory)
        return -EADDRINUSE;
    /* As Linux tells it: with the zero at its end, and nothing behind that. */
    size_t length = 0;
    while (path[length])
        length++;
    socket->name.size = (socklen_t)(PATH_AT + length + 1);
    place.entry->node = socket->node = __selvedge_new_node(S_IFSOCK | __selvedge_masked(0777));
    socket->node->is_masked = !__selvedge_mask_is_set();
    socket->node->links = 1;
    place.entry->had_socket = 1;
    return 0;
}

/* Whether another one is in the way: of streams, one that listens. */
static int is_taken(struct socket *socket)
{
    for (struct socket *s = __selvedge_bound; s; s = s->next_bound) {
        if (s->domain == AF_UNIX || s->type != socket->type || (s->type == SOCK_STREAM && s->state != LISTENS) ||
            *__selvedge_port(&s->name) != *__selvedge_port(&socket->name))
            continue;
        if (s->domain != socket->domain)
            __selvedge_unsupported("a port of both versions of the internet protocol");
        if (!__selvedge_is_any(&s->name) && !__selvedge_is_any(&socket->name) &&
            !__selvedge_is_same_host(&s->name, &socket->name))
            continue;
        if (s->type == SOCK_DGRAM && s->is_reused && socket->is_reused)
            __selvedge_unsupported("two sockets for datagrams at one address");
        return 1;
    }
    return 0;
}

/* Whether a socket that has a name already asks for the path of something: Linux looks at the path first. */
static int is_path_taken(const struct socket *socket, const struct address *name)
{
    if (socket->domain != AF_UNIX || name->size <= PATH_AT || is_abstract(name))
        return 0;
    char path[sizeof(struct sockaddr_un) + 1];
    copy_path(name, path);
    struct place place;
    return __selvedge_find(AT_FDCWD, path, NAME_ONLY, ANYTHING, &place) == 0 && place.node;
}

WEAK int bind(int number, const struct sockaddr *to, socklen_t size)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    struct address name = {0};
    if (error == 0)
        error = __selvedge_copy_address(socket, to, size, &name);
    if (error == 0 && (socket->name.size > 0 || (socket->state != IDLE && socket->domain != AF_UNIX)))
        error = is_path_taken(socket, &name) ? -EADDRINUSE : -EINVAL;
    if (error == 0) {
        socket->name = name;
        if (socket->domain == AF_UNIX)
            error = bind_local(socket);
        else if (*__selvedge_port(&socket->name) != 0 && is_taken(socket))
            error = -EADDRINUSE;
        if (error < 0)
            memset(&socket->name, 0, sizeof socket->name);
    }
    if (error == 0) {
        socket->is_named = 1;
        add_bound(socket);
        if (socket->domain != AF_UNIX) {
            __selvedge_assumed("world.network");
            __selvedge_take_port(socket);
        }
    }
    leave_world();
    return (int)outcome(error);
}

/* Names. */

static int tell_name(int number, struct sockaddr *to, socklen_t *room, int of_other)
{
    int error;
    enter_world();
    struct socket *socket = __selvedge_socket_of(number, &error);
    struct address name = {0};
    if (socket) {
        name = of_other ? socket->other : socket->name;
        if (of_other && socket->state != CONNECTED)
            error = -ENOTCONN;
        name.bytes.ss_family = (sa_family_t)socket->domain;
        if (name.size == 0)
            name.size = socket->domain == AF_UNIX ? PATH_AT : __selvedge_address_size(socket->domain);
    }
    leave_world();
    if (error == 0)
        __selvedge_give_address(&name, to, room);
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
