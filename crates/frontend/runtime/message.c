/* Sockets that keep the bounds of messages: datagrams, local and internet, and local packets (SOCK_SEQPACKET).
 *
 * Each has a queue of messages. A message goes into the queue of its receiver in the step that sends it. Local ones are
 * never lost: the sender waits, as on Linux, while more than MAX_QUEUED are in the queue of a socket that is not
 * connected to it, or its own messages that nobody has received fill its buffer. Internet ones never wait; they arrive
 * in order, or, with `--fail io`, get lost.
 *
 * Somebody outside sends to a socket that has an address, unless it is connected to another one in the program: before,
 * between or after what the program itself sends there. Each peer sends one message.
 */
#include "socket.h"

#include <poll.h>
#include <string.h>

/* Linux has these by default: net.unix.max_dgram_qlen, net.core.wmem_default. */
#define MAX_QUEUED 10
#define SEND_BUFFER 212992

struct mail {
    struct mail *next;
    struct address from;
    struct socket *sender; /* who waits for its room; NULL: nobody */
    size_t cost;
    size_t room;   /* never symbolic */
    size_t length; /* may be, if it comes from outside: at most `room` */
    int is_strange; /* from outside */
    int was_seen; /* by MSG_PEEK */
    unsigned char *bytes;
};

static struct mail *new_mail(size_t size)
{
    struct mail *mail = __selvedge_keep(sizeof *mail);
    mail->room = mail->length = size;
    return mail;
}

static void add_mail(struct socket *socket, struct mail *mail)
{
    *socket->last_mail = mail;
    socket->last_mail = &mail->next;
    socket->n_mail++;
    __selvedge_changed(&socket->for_mail);
}

static void drop_first(struct socket *socket)
{
    struct mail *mail = socket->mail;
    socket->mail = mail->next;
    if (!socket->mail)
        socket->last_mail = &socket->mail;
    socket->n_mail--;
    __selvedge_changed(&socket->for_room);
    if (mail->sender) {
        mail->sender->underway -= mail->cost;
        __selvedge_changed(&mail->sender->for_room);
    }
}

/* Messages from outside. */

static struct socket *find_receiver(struct address *to, struct address *from);

static int is_reachable(struct socket *socket)
{
    if (socket->type == SOCK_SEQPACKET)
        return 0;
    if (socket->name.size == 0 || socket->partner)
        return 0;
    return socket->state != CONNECTED || socket->domain == AF_UNIX || !find_receiver(&socket->other, NULL);
}

static void take_in(struct socket *socket, struct peer *peer)
{
    struct mail *mail = new_mail(0);
    mail->room = __selvedge_message_of_peer(peer, &mail->bytes, &mail->length);
    mail->is_strange = 1;
    if (socket->state == CONNECTED)
        mail->from = socket->other;
    else
        __selvedge_strange_address(socket->domain, &mail->from);
    mail->next = socket->mail;
    socket->mail = mail;
    if (socket->last_mail == &socket->mail)
        socket->last_mail = &mail->next;
    socket->n_mail++;
}

/* Somebody outside may send something now. */
static void let_in(struct socket *socket, int must)
{
    if (socket->type == SOCK_SEQPACKET && socket->peer) {
        if (!socket->reads_shut && !__selvedge_peer_is_late(socket->peer, must)) {
            take_in(socket, socket->peer);
            socket->reads_shut = 1;
        }
        return;
    }
    int is_full = socket->domain == AF_UNIX && socket->n_mail > MAX_QUEUED;
    if (!is_reachable(socket) || is_full || (socket->mail && socket->mail->was_seen) || !__selvedge_peer_is_left(socket))
        return;
    if (socket->mail ? __selvedge_next_peer_is_first() : !__selvedge_next_peer_is_late(socket, must))
        take_in(socket, __selvedge_next_peer());
}

/* Receiving. */

static size_t copy_mail(const struct mail *mail, unsigned char *to, size_t size)
{
    size_t n = 0;
    if (!mail->is_strange) {
        n = size < mail->length ? size : mail->length;
        memcpy(to, mail->bytes, n);
        return n;
    }
    while (n < size && n < mail->room && n < mail->length) {
        to[n] = mail->bytes[n];
        n++;
    }
    return n;
}

WEAK ssize_t __selvedge_collect(struct description *file, unsigned char *to, size_t size, int may_wait, int peeks,
                                struct envelope *from)
{
    struct socket *socket = file->own;
    if (socket->type == SOCK_SEQPACKET && socket->state != CONNECTED)
        return -ENOTCONN;
    if (socket->error)
        return take_error(socket);
    let_in(socket, may_wait && !has_read_limit(socket) && !socket->reads_shut);
    struct mail *mail = socket->mail;
    if (!mail && socket->reads_shut && (may_wait || socket->type == SOCK_SEQPACKET))
        return 0;
    if (!mail) {
        if (may_wait) {
            __selvedge_enqueue(&socket->for_mail, is_reachable(socket));
            __selvedge_limit_wait(&socket->read_limit);
        }
        return WOULD_WAIT;
    }
    size_t n = copy_mail(mail, to, size);
    if (from) {
        from->address = mail->from;
        from->length = mail->length;
    }
    mail->was_seen = 1;
    if (!peeks)
        drop_first(socket);
    return (ssize_t)n;
}

/* Sending. */

/* What a message takes of its sender's buffer: a header, and a block of memory with a power of two as its size. */
static size_t cost_of(size_t size)
{
    size_t block = 512;
    while (block < size + 384)
        block *= 2;
    return 256 + block;
}

static void put(struct socket *to, struct socket *sender, const struct address *from, const unsigned char *bytes,
                size_t size)
{
    struct mail *mail = new_mail(size);
    mail->bytes = __selvedge_keep(size ? size : 1);
    memcpy(mail->bytes, bytes, size);
    mail->from = *from;
    if (sender) {
        mail->sender = sender;
        mail->cost = cost_of(size);
        sender->underway += mail->cost;
    }
    add_mail(to, mail);
}

static ssize_t wait_for_room(struct socket *socket, struct queue *queue, int may_wait)
{
    __selvedge_assumed("world.datagram-queue");
    if (may_wait) {
        __selvedge_enqueue(queue, 0);
        __selvedge_limit_wait(&socket->write_limit);
    }
    return WOULD_WAIT;
}

/* Whether `other` takes messages from `socket`, if it belongs to somebody at all. */
static int may_talk(const struct socket *socket, const struct socket *other)
{
    return !other->partner || other->partner == socket;
}

/* The local socket that an address means; NULL and 0 if somebody outside has it, or an error. */
static struct socket *find_local(struct socket *socket, const struct address *to, int *error)
{
    struct found found = __selvedge_find_local(to, socket->type);
    struct socket *other = found.socket;
    if (other) {
        *error = other->type != socket->type ? -EPROTOTYPE : !may_talk(socket, other) ? -EPERM : 0;
        return *error ? NULL : other;
    }
    int answers = found.may_be_strange && __selvedge_peer_is_left(socket) && __selvedge_peer_answers();
    *error = answers ? 0 : found.error;
    return NULL;
}

/* Forgets the partner, and with it what has come: as on Linux, where a partner that meant this one is told. */
static void part_from(struct socket *socket, struct socket *next)
{
    struct socket *old = socket->partner;
    socket->partner = next;
    if (!old || old == next)
        return;
    if (socket->mail && !old->is_closed && old->partner == socket) {
        old->error = ECONNRESET;
        __selvedge_changed(&old->for_mail);
    }
    while (socket->mail)
        drop_first(socket);
}

static ssize_t post_local(struct socket *socket, const unsigned char *from, size_t size, int may_wait,
                          const struct address *to)
{
    int error = 0;
    struct socket *other = socket->partner;
    if (socket->type == SOCK_SEQPACKET ? socket->state != CONNECTED : !to && socket->state != CONNECTED)
        return -ENOTCONN;
    if (size > SEND_BUFFER - 32)
        return -EMSGSIZE;
    if (to && socket->type == SOCK_DGRAM)
        other = find_local(socket, to, &error);
    if (error < 0)
        return error;
    if (socket->error)
        return take_error(socket);
    if (socket->writes_shut)
        return -EPIPE;
    if (!other)
        return (ssize_t)size;
    if (socket->underway >= SEND_BUFFER)
        return wait_for_room(socket, &socket->for_room, may_wait);
    if (other->is_closed) {
        part_from(socket, NULL);
        socket->state = IDLE;
        return -ECONNREFUSED;
    }
    if (!may_talk(socket, other))
        return -EPERM;
    if (other->reads_shut)
        return -EPIPE;
    if (other != socket && other->partner != socket && other->n_mail > MAX_QUEUED)
        return wait_for_room(socket, &other->for_room, may_wait);
    put(other, socket, &socket->name, from, size);
    return (ssize_t)size;
}

/* Who gets what is sent from one internet address to another; `from` NULL: from somewhere. */
static struct socket *find_receiver(struct address *to, struct address *from)
{
    struct socket *best = NULL;
    for (struct socket *s = __selvedge_bound; s; s = s->next_bound) {
        if (s->domain == AF_UNIX || s->type != SOCK_DGRAM || *__selvedge_port(&s->name) != *__selvedge_port(to))
            continue;
        if (s->domain != to->bytes.ss_family)
            __selvedge_unsupported("a port of both versions of the internet protocol");
        if (!__selvedge_is_any(&s->name) && !__selvedge_is_same_host(&s->name, to))
            continue;
        if (from && s->state == CONNECTED && !__selvedge_is_same_address(&s->other, from))
            continue;
        if (!best || s->state == CONNECTED)
            best = s;
    }
    return best;
}

/* A connected one hears that nobody is there; that nobody outside is, is decided once. */
static int is_refused(struct socket *socket)
{
    if (socket->outside == NOT_ASKED) {
        int can_answer = __selvedge_peer_is_left(socket) || __selvedge_world(N_PEERS, 0) != -2;
        can_answer &= !__selvedge_owner(&socket->other, SOCK_DGRAM);
        socket->outside = can_answer && __selvedge_peer_answers() ? ANSWERS : REFUSES;
    }
    return socket->outside == REFUSES;
}

/* Addresses of many hosts: 224.0.0.0 and those after it, ff00:: and those after it. */
static int is_of_many(const struct address *to)
{
    if (to->bytes.ss_family == AF_INET)
        return (((const struct sockaddr_in *)&to->bytes)->sin_addr.s_addr & 255) >= 224;
    return ((const struct sockaddr_in6 *)&to->bytes)->sin6_addr.s6_addr[0] == 0xff;
}

#define IS_LOST 0x10001

static ssize_t post_internet(struct socket *socket, const unsigned char *from, size_t size, const struct address *given)
{
    if (size > 65535)
        return -EMSGSIZE;
    __selvedge_take_port(socket);
    if (!given && socket->state != CONNECTED)
        return -EDESTADDRREQ;
    struct address to = given ? *given : socket->other;
    if (*__selvedge_port(&to) == 0)
        return -EINVAL;
    __selvedge_meant_host(&to);
    if (is_of_many(&to))
        __selvedge_unsupported("datagrams to many hosts");
    if (socket->error)
        return take_error(socket);
    if (socket->writes_shut)
        return -EPIPE;
    if (size > (socket->domain == AF_INET ? 65507 : 65527))
        return -EMSGSIZE;
    struct address source = socket->state == CONNECTED && !given ? socket->name : __selvedge_source(socket, &to);
    struct socket *other = find_receiver(&to, &source);
    if (other) {
        __selvedge_assumed("world.datagrams-arrive");
        if (FAILURE(IS_LOST) < 0)
            return (ssize_t)size;
        put(other, NULL, &source, from, size);
    } else if (socket->state == CONNECTED && __selvedge_is_same_address(&to, &socket->other) && is_refused(socket)) {
        socket->error = ECONNREFUSED;
        __selvedge_changed(&socket->for_mail);
    }
    return (ssize_t)size;
}

WEAK ssize_t __selvedge_post(struct description *file, const unsigned char *from, size_t size, int may_wait,
                             const struct address *to)
{
    struct socket *socket = file->own;
    return socket->domain == AF_UNIX ? post_local(socket, from, size, may_wait, to)
                                     : post_internet(socket, from, size, to);
}

/* Connecting, which only says who is meant; AF_UNSPEC: nobody. */
WEAK int __selvedge_connect_datagrams(struct socket *socket, const struct address *address)
{
    int is_local = socket->domain == AF_UNIX, error = 0;
    struct socket *other = NULL;
    if (address && is_local) {
        other = find_local(socket, address, &error);
        if (error < 0)
            return error;
    }
    part_from(socket, other);
    socket->outside = NOT_ASKED;
    if (!address) {
        socket->state = IDLE;
        socket->other.size = 0;
        if (!is_local && !socket->is_named && socket->name.size > 0) {
            __selvedge_unbind(socket);
            memset(&socket->name, 0, sizeof socket->name);
        }
        return 0;
    }
    socket->other = *address;
    if (!is_local) {
        __selvedge_meant_host(&socket->other);
        __selvedge_take_port(socket);
        socket->name = __selvedge_source(socket, &socket->other);
    }
    socket->state = CONNECTED;
    return 0;
}

/* Ends. */

static void shut(struct socket *socket, int reading, int writing)
{
    socket->reads_shut |= reading;
    socket->writes_shut |= writing;
    __selvedge_changed(&socket->for_mail);
    __selvedge_changed(&socket->for_room);
}

WEAK int __selvedge_shut_messages(struct socket *socket, int how)
{
    int reading = how != SHUT_WR, writing = how != SHUT_RD;
    /* What has come before can be read. */
    if (reading && socket->peer)
        let_in(socket, 0);
    shut(socket, reading, writing);
    if (socket->type == SOCK_SEQPACKET && socket->partner)
        shut(socket->partner, writing, reading);
    /* It takes effect all the same. */
    return socket->domain != AF_UNIX && socket->state == IDLE ? -ENOTCONN : 0;
}

static void release_messages(struct description *file)
{
    struct socket *socket = file->own, *partner = socket->partner;
    if (socket->state == LISTENS)
        __selvedge_when_closed(socket);
    __selvedge_unbind(socket);
    socket->is_closed = 1;
    if (socket->type == SOCK_SEQPACKET && partner) {
        if (socket->mail)
            partner->error = ECONNRESET;
        partner->partner = NULL;
        shut(partner, 1, 1);
    }
    while (socket->mail)
        drop_first(socket);
    __selvedge_changed(&socket->for_room);
}

static ssize_t read_message(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    return size == 0 ? 0 : __selvedge_collect(file, to, size, !never_waits(file), 0, NULL);
}

static ssize_t write_message(struct description *file, const unsigned char *from, size_t size, long long *at)
{
    (void)at;
    return __selvedge_post(file, from, size, !never_waits(file), NULL);
}

static int message_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = S_IFSOCK | 0777;
    facts->links = 1;
    return 0;
}

static int has_room(const struct socket *socket)
{
    const struct socket *other = socket->partner;
    int is_full = other && !other->is_closed && other->partner != socket && other != socket && other->n_mail > MAX_QUEUED;
    return socket->underway * 4 <= SEND_BUFFER && !is_full;
}

static int messages_ready(struct description *file, int must)
{
    struct socket *socket = file->own;
    const int readable = POLLIN | POLLRDNORM, writable = POLLOUT | POLLWRNORM;
    if (socket->state == LISTENS)
        return __selvedge_socket_kind.ready(file, must);
    if (!socket->mail)
        let_in(socket, must);
    int ready = (socket->mail ? readable : 0) | (socket->reads_shut ? readable | POLLRDHUP : 0) |
                (socket->error ? POLLERR : 0) | (has_room(socket) ? writable : 0);
    if ((socket->reads_shut && socket->writes_shut) || (socket->type == SOCK_SEQPACKET && socket->state == IDLE))
        ready |= POLLHUP;
    return ready;
}

static int messages_are_for_outside(struct description *file)
{
    struct socket *socket = file->own;
    return socket->state == LISTENS || is_reachable(socket);
}

static int messages_are_slow(struct description *file)
{
    struct socket *socket = file->own;
    if (socket->state == LISTENS)
        return __selvedge_socket_kind.is_slow(file);
    return !socket->mail && !socket->reads_shut &&
           (socket->peer != NULL || (is_reachable(socket) && __selvedge_peer_is_left(socket)));
}

static int messages_are_untold(struct description *file)
{
    (void)file;
    return 1;
}

WEAK const struct operations __selvedge_message_kind = {
    .read = read_message,
    .write = write_message,
    .is_whole = 1,
    .is_slow = messages_are_slow,
    .facts = message_facts,
    .release = release_messages,
    .wait_to_read = __selvedge_wait_in_queue,
    .wait_to_write = __selvedge_wait_in_queue,
    .ready = messages_ready,
    .is_for_outside = messages_are_for_outside,
    .is_untold = messages_are_untold,
};
