/* Sockets: what the units that model them share. See socket.c. */
#ifndef SELVEDGE_SOCKET_H
#define SELVEDGE_SOCKET_H

#include "channel.h"
#include "peer.h"

#include <sys/socket.h>

struct socket {
    int domain;
    enum { IDLE, LISTENS, CONNECTED } state;
    /* Of a connected one: two channels, or a peer outside. */
    struct channel *in, *out;
    struct peer *peer;
    int reads_shut, writes_shut;
    struct timespec read_limit, write_limit; /* SO_RCVTIMEO, SO_SNDTIMEO; of zero: there is none */
    struct sockaddr_storage name, other;
    socklen_t name_size, other_size; /* 0: has none */
    struct node *node;               /* of a bound local one */
    /* Of a listening one. */
    struct socket *pending, **last_pending;
    unsigned n_pending, backlog;
    struct queue for_clients;
    struct socket *next;
};

extern const struct operations __selvedge_socket_kind;

/* Inside a step. */

struct socket *__selvedge_new_socket(int domain);
/* A new descriptor for it; `flags` are SOCK_NONBLOCK and SOCK_CLOEXEC. */
int __selvedge_install_socket(struct socket *socket, int flags);
void __selvedge_join_sockets(struct socket *a, struct socket *b);
/* The socket behind a number, or NULL and the error. */
struct socket *__selvedge_socket_of(int number, int *error);

ssize_t __selvedge_receive(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks);
ssize_t __selvedge_send(struct description *file, const unsigned char *from, size_t size, int may_wait);

/* Whether waits to read, or to accept, have a limit. */
static inline int has_read_limit(const struct socket *socket)
{
    return socket->read_limit.tv_sec > 0 || socket->read_limit.tv_nsec > 0;
}

/* A socket that listens is closed: see connect.c. */
extern void (*const __selvedge_when_closed)(struct socket *socket);

#endif
