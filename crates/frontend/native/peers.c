/* Peers outside of the real program, as they are in the record.
 *
 * Where no connection from inside waits, `accept` gives the next recorded peer: the other end of a connection over the
 * loopback interface, which holds all that the peer sends and is shut. It stays open, so that what the program sends is
 * taken. One read of it stops short where it did in the record. Where no datagram waits, a read of a socket for
 * datagrams gets that of the next peer.
 *
 * Relies on: FIONREAD tells how much is left of what a peer sent.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_PEERS 100

static unsigned n_come;
/* Of each that has come. */
static struct {
    ino_t inode;
    int was_short;
} come[MAX_PEERS];

/* Away from the lowest numbers, which are the program's. */
static int move_up(int number)
{
    int high = number < 0 ? -1 : fcntl(number, F_DUPFD_CLOEXEC, SV_HIGH_DESCRIPTOR);
    if (high < 0)
        sv_diverged("no connection can be made for a peer: %s", strerror(errno));
    close(number);
    return high;
}

/* The two ends of a connection of the family of a listening socket: the program's has the lowest number that is free. */
static int connect_pair(int domain, int *own)
{
    int ends[2];
    if (domain == AF_UNIX) {
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) < 0)
            sv_diverged("no connection can be made for a peer: %s", strerror(errno));
        *own = move_up(ends[1]);
        return ends[0];
    }
    struct sockaddr_storage name = {.ss_family = (sa_family_t)domain};
    socklen_t size = domain == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
    if (domain == AF_INET)
        ((struct sockaddr_in *)&name)->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    else
        ((struct sockaddr_in6 *)&name)->sin6_addr = in6addr_loopback;
    int listener = move_up(socket(domain, SOCK_STREAM, 0));
    *own = move_up(socket(domain, SOCK_STREAM, 0));
    int end = -1;
    if (bind(listener, (struct sockaddr *)&name, size) == 0 && listen(listener, 1) == 0 &&
        getsockname(listener, (struct sockaddr *)&name, &size) == 0 &&
        connect(*own, (struct sockaddr *)&name, size) == 0)
        end = accept(listener, NULL, NULL);
    if (end < 0)
        sv_diverged("no connection can be made for a peer: %s", strerror(errno));
    close(listener);
    return end;
}

static void send_all(int own, int end, const struct sv_peer *peer)
{
    const unsigned char *from = sv_peer_bytes + peer->offset;
    for (size_t done = 0; done < peer->size;) {
        ssize_t n = send(own, from + done, peer->size - done, MSG_DONTWAIT);
        if (n < 0)
            sv_diverged("a peer cannot send what it sent: %s", strerror(errno));
        done += (size_t)n;
    }
    shutdown(own, SHUT_WR);
    int there = 0;
    for (int i = 0; i < 1000 && ioctl(end, FIONREAD, &there) == 0 && (size_t)there < peer->size; i++)
        usleep(1000);
}

/* The next peer, or -1 if the system's `accept` is to be called. */
static int next_peer(int number)
{
    struct pollfd inside = {.fd = number, .events = POLLIN};
    int listens = 0, domain = 0;
    socklen_t size = sizeof listens;
    if (n_come >= sv_n_peers || n_come >= MAX_PEERS || poll(&inside, 1, 0) != 0 ||
        getsockopt(number, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || !listens ||
        getsockopt(number, SOL_SOCKET, SO_DOMAIN, &domain, &size) < 0)
        return -1;
    unsigned which = __atomic_fetch_add(&n_come, 1, __ATOMIC_RELAXED);
    int own, end = connect_pair(domain, &own);
    send_all(own, end, &sv_peers[which]);
    struct stat facts;
    fstat(end, &facts);
    come[which].inode = facts.st_ino;
    return end;
}

int selvedge_native_accept4(int number, struct sockaddr *from, socklen_t *size, int flags)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    int end = next_peer(number);
    if (end < 0) {
        sv_wait_to_read(number);
        return accept4(number, from, size, flags);
    }
    if (flags & SOCK_NONBLOCK)
        fcntl(end, F_SETFL, O_NONBLOCK);
    if (flags & SOCK_CLOEXEC)
        fcntl(end, F_SETFD, FD_CLOEXEC);
    if (from)
        getpeername(end, from, size);
    return end;
}

int selvedge_native_accept(int number, struct sockaddr *from, socklen_t *size)
{
    return selvedge_native_accept4(number, from, size, 0);
}

/* A port that is taken, or not for everybody, is another one here. */
int selvedge_native_bind(int number, const struct sockaddr *name, socklen_t size)
{
    int result = bind(number, name, size);
    if (result == 0 || (errno != EADDRINUSE && errno != EACCES) || name->sa_family != AF_INET)
        return result;
    struct sockaddr_in other;
    memcpy(&other, name, sizeof other);
    other.sin_port = 0;
    return bind(number, (struct sockaddr *)&other, sizeof other);
}

/* Before a read: the datagram of the next peer, if nothing else waits for a socket that anybody may send to. */
static void bring_datagram(int number)
{
    struct pollfd inside = {.fd = number, .events = POLLIN};
    struct sockaddr_storage name, other;
    socklen_t size = sizeof(int), n = sizeof name, m = sizeof other;
    int type = 0;
    if (n_come >= sv_n_peers || n_come >= MAX_PEERS || getsockopt(number, SOL_SOCKET, SO_TYPE, &type, &size) < 0 ||
        type != SOCK_DGRAM || poll(&inside, 1, 0) != 0 || getsockname(number, (struct sockaddr *)&name, &n) < 0 ||
        n <= sizeof name.ss_family ||
        getpeername(number, (struct sockaddr *)&other, &m) == 0)
        return;
    const struct sv_peer *peer = &sv_peers[__atomic_fetch_add(&n_come, 1, __ATOMIC_RELAXED)];
    int own = move_up(socket(name.ss_family, SOCK_DGRAM, 0));
    if (sendto(own, sv_peer_bytes + peer->offset, peer->size, 0, (struct sockaddr *)&name, n) < 0)
        sv_diverged("a peer cannot send what it sent: %s", strerror(errno));
    poll(&inside, 1, 1000);
}

size_t sv_at_most_from_peer(int number, size_t size, int peeks)
{
    bring_datagram(number);
    struct stat facts;
    int left;
    if (n_come == 0 || fstat(number, &facts) < 0 || !S_ISSOCK(facts.st_mode))
        return size;
    for (unsigned i = 0; i < n_come && i < MAX_PEERS; i++) {
        const struct sv_peer *peer = &sv_peers[i];
        if (come[i].inode != facts.st_ino || !peer->has_part || come[i].was_short ||
            ioctl(number, FIONREAD, &left) < 0)
            continue;
        size_t before = peer->size - (size_t)left;
        if (before >= peer->part || size <= peer->part - before)
            continue;
        come[i].was_short = !peeks;
        return peer->part - before;
    }
    return size;
}

ssize_t selvedge_native_recvfrom(int number, void *to, size_t size, int flags, struct sockaddr *from, socklen_t *n)
{
    if (sv_is_cut_short())
        return errno = EINTR, -1;
    sv_wait_to_read(number);
    size_t done = 0;
    /* What comes in parts is taken in parts, between the turns of others. */
    for (; (flags & (MSG_WAITALL | MSG_PEEK)) == MSG_WAITALL && sv_may_rest(sv_me); sv_wait_to_read(number)) {
        ssize_t got = recv(number, (char *)to + done, size - done, (flags & ~MSG_WAITALL) | MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN))
            return done > 0 ? (ssize_t)done : got;
        done += got < 0 ? 0 : (size_t)got;
        if (done == size)
            return (ssize_t)done;
    }
    size_t most = sv_at_most_from_peer(number, size - done, flags & MSG_PEEK);
    ssize_t got = recvfrom(number, (char *)to + done, most, flags, from, n);
    return got >= 0 ? (ssize_t)done + got : done > 0 ? (ssize_t)done : -1;
}

ssize_t selvedge_native_recv(int number, void *to, size_t size, int flags)
{
    return selvedge_native_recvfrom(number, to, size, flags, NULL, NULL);
}
