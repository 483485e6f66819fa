/* Somebody outside of the program at the other end of a connection: see peer.c. */
#ifndef SELVEDGE_PEER_H
#define SELVEDGE_PEER_H

#include "world.h"

struct peer;

/* All inside a step. */

/* Whether one more can come. */
int __selvedge_peer_is_left(void);
/* Whether the next one has not come yet; that is so for at most one question, and not if it `must` have come. */
int __selvedge_next_peer_is_late(int must);
/* Whether somebody answers a connection from inside. Only if one is left. */
int __selvedge_peer_answers(void);
/* The next one, from now on at the end of a connection. */
struct peer *__selvedge_next_peer(void);

/* The next bytes; 0 at the end. `may_be_late`: it may say WOULD_WAIT, once. */
ssize_t __selvedge_from_peer(struct peer *peer, unsigned char *to, size_t size, int may_be_late, int peeks);
/* The same about its bytes. */
int __selvedge_peer_is_late(struct peer *peer, int must);

#endif
