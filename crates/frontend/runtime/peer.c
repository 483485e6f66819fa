/* Peers outside of the program.
 *
 * A peer sends what the user gave, or any bytes up to a bound, and closes its end; it takes all that it is sent. One
 * read of its bytes may give less than is there. Where the program looks without waiting, what comes from outside may
 * not have come yet: once for each peer that comes, and once for what it sends. A program that waits gets it, since a
 * wait in which nothing else happens might as well have begun later.
 *
 * What a peer sends is one message to a socket that keeps the bounds of messages.
 */
#include "peer.h"

#include <string.h>

struct peer {
    unsigned number; /* from 1 */
    int is_given, is_known; /* whether the user said how much it sends at most, and what */
    unsigned bound;
    unsigned length; /* symbolic if it is not known */
    unsigned read;
    int has_part, was_short, asked_if_late, asked_if_far, asked_for_end;
    unsigned n_news;
    unsigned part; /* symbolic: where a read stops short */
    unsigned char *bytes;
};

static unsigned n_peers; /* that have come */
static int asked_if_late;
static unsigned n_news, n_in_news; /* what was told of clients, and how many of them are known by it */
static const void *come_to; /* where the next one is, before it is taken */
WEAK unsigned __selvedge_n_places;

static void ask(unsigned number, void *to, size_t size, enum role role)
{
    char name[] = "/dev/peer/00";
    size_t length = sizeof name - 1;
    if (number < 10) {
        name[length - 2] = (char)('0' + number);
        length--;
    } else {
        name[length - 2] = (char)('0' + number / 10 % 10);
        name[length - 1] = (char)('0' + number % 10);
    }
    __selvedge_file_input(to, size, name, length, role);
}

static int is_so(unsigned number, enum role role)
{
    unsigned char answer;
    ask(number, &answer, 1, role);
    return answer & 1;
}

WEAK int __selvedge_peer_is_left(const void *place)
{
    int is_elsewhere = come_to && come_to != place;
    long given = __selvedge_world(N_PEERS, 0);
    if (given == -2) {
        __selvedge_assumed("world.task");
        return 0;
    }
    if (given >= 0) {
        __selvedge_assumed("world.peer-parts");
        return (long)n_peers < given && !is_elsewhere;
    }
    __selvedge_assumed("world.peer-bound");
    return n_peers < 1 && !is_elsewhere;
}

WEAK int __selvedge_next_peer_is_late(const void *place, int must)
{
    int is_open = !come_to && (must ? __selvedge_n_places > 1 : !asked_if_late);
    asked_if_late = 1;
    if (is_open && is_so(n_peers + 1, IS_LATE))
        return 1;
    come_to = place;
    return 0;
}

WEAK int __selvedge_next_peer_is_first(void) { return !is_so(n_peers + 1, IS_LATE); }

WEAK int __selvedge_peer_answers(void) { return is_so(n_peers + 1, EXISTENCE_OF_FILE); }

WEAK struct peer *__selvedge_next_peer(void)
{
    struct peer *peer = __selvedge_keep(sizeof *peer);
    peer->is_given = __selvedge_world(N_PEERS, 0) >= 0;
    peer->is_known = peer->is_given && !__selvedge_world(PEER_IS_SYMBOLIC, n_peers);
    if (peer->is_given)
        peer->bound = (unsigned)__selvedge_world(SIZE_OF_PEER, n_peers);
    if (peer->is_known) {
        peer->length = peer->bound;
        peer->bytes = __selvedge_keep(peer->bound ? peer->bound : 1);
        if (peer->bound > 0)
            __selvedge_world_bytes(peer->bytes, peer->bound, SIZE_OF_PEER, n_peers);
    }
    peer->number = ++n_peers;
    asked_if_late = 0;
    come_to = NULL;
    return peer;
}

WEAK unsigned __selvedge_clients_arrived(const void *place, unsigned told, int must)
{
    if (n_in_news > n_peers || !__selvedge_peer_is_left(place) || __selvedge_next_peer_is_late(place, must))
        return n_news;
    n_in_news = n_peers + 1;
    /* The first of them is news. */
    if (told == 0 || !is_so(n_peers + 1, IS_LATE))
        n_news++;
    return n_news;
}

static void begin(struct peer *peer)
{
    if (!peer->is_given)
        peer->bound = (unsigned)__selvedge_world(BOUND_OF_PEERS, 0);
    peer->bytes = __selvedge_keep(peer->bound ? peer->bound : 1);
    if (peer->bound > 0) {
        ask(peer->number, &peer->length, sizeof peer->length, LENGTH_OF_FILE);
        __VERIFIER_assume(peer->length <= peer->bound);
        ask(peer->number, peer->bytes, peer->bound, CONTENT_OF_FILE);
    }
}

/* Whether a read stops here although there may be more. */
static int stops_short(struct peer *peer, unsigned at)
{
    if (peer->was_short || at >= peer->bound)
        return 0;
    if (!peer->has_part) {
        peer->has_part = 1;
        ask(peer->number, &peer->part, sizeof peer->part, PART_OF_FILE);
    }
    return at == peer->part;
}

WEAK int __selvedge_peer_is_far(struct peer *peer, int must)
{
    int is_open = !peer->asked_if_far && !must;
    peer->asked_if_far = 1;
    return is_open && is_so(peer->number, IS_LATE);
}

WEAK int __selvedge_peer_is_late(struct peer *peer, int must)
{
    int is_open = !peer->asked_if_late && !must;
    peer->asked_if_late = 1;
    return is_open && is_so(peer->number, IS_LATE);
}

WEAK unsigned __selvedge_peer_arrived(struct peer *peer, unsigned told, int must)
{
    if (peer->n_news == 0 && !__selvedge_peer_is_late(peer, must))
        peer->n_news = 1;
    if (peer->n_news > 0 && peer->n_news == told && !peer->asked_for_end) {
        peer->asked_for_end = 1;
        peer->n_news += is_so(peer->number, IS_LATE);
    }
    return peer->n_news;
}

WEAK ssize_t __selvedge_from_peer(struct peer *peer, unsigned char *to, size_t size, int may_be_late, int peeks)
{
    if (__selvedge_peer_is_late(peer, !may_be_late))
        return WOULD_WAIT;
    if (!peer->bytes)
        begin(peer);
    size_t n = 0;
    while (n < size && peer->read + n < peer->bound && peer->read + n < peer->length) {
        if (n > 0 && stops_short(peer, peer->read + (unsigned)n)) {
            peer->was_short = !peeks;
            peer->n_news += !peeks;
            break;
        }
        to[n] = peer->bytes[peer->read + n];
        n++;
    }
    if (!peeks)
        peer->read += (unsigned)n;
    return (ssize_t)n;
}

WEAK size_t __selvedge_message_of_peer(struct peer *peer, unsigned char **bytes, size_t *length)
{
    if (!peer->bytes)
        begin(peer);
    peer->read = peer->bound;
    *bytes = peer->bytes;
    *length = peer->length;
    return peer->bound;
}
