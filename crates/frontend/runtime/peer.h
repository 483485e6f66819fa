/* Somebody outside of the program at the other end of a connection: see peer.c. */
#ifndef SELVEDGE_PEER_H
#define SELVEDGE_PEER_H

#include "world.h"

struct peer;

/* All inside a step. */

/* Where peers can come to: sockets that listen, and those with an address that get datagrams. */
extern unsigned __selvedge_n_places;

/* Whether one more can come to `place`. */
int __selvedge_peer_is_left(const void *place);
/* Whether the next one has not come to `place` yet. That is so for at most one question, and not if it `must` have come
 * and there is no other place. Once it has come to a place it comes to no other. */
int __selvedge_next_peer_is_late(const void *place, int must);
/* Whether it comes before what is there already. */
int __selvedge_next_peer_is_first(void);
/* Whether somebody answers a connection from inside. Only if one is left. */
int __selvedge_peer_answers(void);
/* Whether the connection to it, which nobody waits for, does not stand yet: once. */
int __selvedge_peer_is_far(struct peer *peer, int must);
/* The next one, from now on at the end of a connection. */
struct peer *__selvedge_next_peer(void);

/* How many times news of a client at `place` has come, for those who are told of news only and were `told` of so many. Clients that
 * came together are one piece of news. */
unsigned __selvedge_clients_arrived(const void *place, unsigned told, int must);

/* The next bytes; 0 at the end. `may_be_late`: it may say WOULD_WAIT, once. */
ssize_t __selvedge_from_peer(struct peer *peer, unsigned char *to, size_t size, int may_be_late, int peeks);
/* All that it sends, as one message, whose length may be symbolic. Returns the room that it takes at most. */
size_t __selvedge_message_of_peer(struct peer *peer, unsigned char **bytes, size_t *length);
/* Whether its bytes are late, likewise. */
int __selvedge_peer_is_late(struct peer *peer, int must);
/* How many times news of its bytes has come: of the first, of the rest where a read has stopped short, and of its end
 * unless that has come with bytes. */
unsigned __selvedge_peer_arrived(struct peer *peer, unsigned told, int must);

#endif
