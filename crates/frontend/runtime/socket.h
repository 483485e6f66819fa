/* Sockets: what the units that model them share. See socket.c, message.c, address.c. */
#ifndef SELVEDGE_SOCKET_H
#define SELVEDGE_SOCKET_H

#include "channel.h"
#include "peer.h"

#include <netinet/in.h>
#include <sys/socket.h>

/* An address and how long it is; 0: there is none. */
struct address {
    struct sockaddr_storage bytes;
    socklen_t size;
};

struct socket {
    int domain, type;
    enum { IDLE, LISTENS, CONNECTED } state;
    /* Of a stream that is connected: two channels, or a peer outside, which one of packets may have, too. */
    struct channel *in, *out;
    struct peer *peer;
    struct description *file; /* NULL: not accepted yet */
    int reads_shut, writes_shut;
    int is_deaf; /* its peer has sent nothing before it stopped to take anything */
    int error; /* what the next call reports, once */
    struct timespec read_limit, write_limit; /* SO_RCVTIMEO, SO_SNDTIMEO; of zero: there is none */
    struct address name, other;
    int is_named; /* by the program */
    int is_reused; /* SO_REUSEADDR, SO_REUSEPORT */
    struct node *node; /* of a bound local one */
    struct socket *next_bound;
    /* Of a stream that did not wait for its connection. */
    enum { SETTLED, OPENING, FAILED } progress;
    /* Of a listening one. */
    struct socket *pending, **last_pending;
    unsigned n_pending, backlog;
    struct queue for_clients, for_place;
    struct socket *next;
    /* Of one that keeps the bounds of messages: see message.c. */
    struct mail *mail, **last_mail;
    unsigned n_mail;
    size_t underway; /* what its own messages that nobody has received take */
    struct queue for_mail, for_room;
    struct socket *partner; /* the one in the program that it is connected to */
    int is_closed;
    enum { NOT_ASKED, ANSWERS, REFUSES } outside;
};

extern const struct operations __selvedge_socket_kind;

/* Inside a step. */

struct socket *__selvedge_new_socket(int domain, int type);
/* A new descriptor for it; `flags` are SOCK_NONBLOCK and SOCK_CLOEXEC. */
int __selvedge_install_socket(struct socket *socket, int flags);
void __selvedge_join_sockets(struct socket *a, struct socket *b);
/* The socket behind a number, or NULL and the error. */
struct socket *__selvedge_socket_of(int number, int *error);

/* What comes with the bytes of a message. */
struct envelope {
    struct address address; /* the sender's, or the receiver's */
    size_t length;          /* of the whole message */
};

/* `from` and `to` may be NULL. */
ssize_t __selvedge_receive(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks,
                           struct envelope *from);
ssize_t __selvedge_send(struct description *file, const unsigned char *from, size_t size, int may_wait,
                        const struct address *to);

static inline int keeps_bounds(const struct socket *socket) { return socket->type != SOCK_STREAM; }

/* Whether waits to read, or to accept, have a limit. */
static inline int has_read_limit(const struct socket *socket)
{
    return socket->read_limit.tv_sec > 0 || socket->read_limit.tv_nsec > 0;
}

/* What is to be reported once. */
static inline int take_error(struct socket *socket)
{
    int error = socket->error;
    socket->error = 0;
    return -error;
}

/* A socket that listens is closed: see connect.c. */
extern void (*const __selvedge_when_closed)(struct socket *socket);

/* Of those that keep bounds: see message.c. */

extern const struct operations __selvedge_message_kind;
ssize_t __selvedge_post(struct description *file, const unsigned char *from, size_t size, int may_wait,
                        const struct address *to);
ssize_t __selvedge_collect(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks,
                           struct envelope *from);
int __selvedge_connect_datagrams(struct socket *socket, const struct address *address);
int __selvedge_shut_messages(struct socket *socket, int how);

/* Addresses: see address.c. */

/* Copies an address of the program; a negated error number if it does not fit the socket. */
int __selvedge_copy_address(const struct socket *socket, const struct sockaddr *from, socklen_t size,
                            struct address *to);
/* Copies what fits of an address to the program. */
void __selvedge_give_address(const struct address *address, struct sockaddr *to, socklen_t *room);
/* The size of an address of a family; 0 if it is not one of the internet. */
socklen_t __selvedge_address_size(int domain);
in_port_t *__selvedge_port(struct address *address);
int __selvedge_is_any(const struct address *address);
int __selvedge_is_same_host(const struct address *a, const struct address *b);
int __selvedge_is_same_address(struct address *a, struct address *b);
/* Turns the address of any host into that of this one, as for something that is sent. */
void __selvedge_meant_host(struct address *address);
/* Gives it a port, unless it has one. */
void __selvedge_take_port(struct socket *socket);
/* The name of one that talks to `to`: its own, of the host that `to` is reached from. */
struct address __selvedge_source(struct socket *socket, struct address *to);
/* An address that nobody in the program has. */
void __selvedge_strange_address(int domain, struct address *to);
/* All that have names, the last one first. */
extern struct socket *__selvedge_bound;
void __selvedge_unbind(struct socket *socket);
/* The socket of the program with an internet address, which the program gave it. Nobody outside answers there. */
struct socket *__selvedge_owner(struct address *address, int type);

/* What is at a local address. */
struct found {
    struct socket *socket;
    int error;           /* if there is none */
    int may_be_strange; /* and somebody outside may be there */
};
/* Abstract addresses of one type of sockets are not those of another one. */
struct found __selvedge_find_local(const struct address *address, int type);

#endif
