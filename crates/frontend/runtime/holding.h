/* What streams may hold of files, and who could see it.
 *
 * Streams of the model hold nothing back and read nothing ahead (streams.h); real ones do. So each stream that has one
 * with a buffer for its like is counted at what it may hold something of: at the file that may lack bytes it was given,
 * at the file of which it may have old bytes, and at the open file description whose position may be another one. Who
 * goes to one of these in another way, while a stream is counted there, could see the difference; the path then notes
 * `world.stdio-unbuffered`.
 */
#ifndef SELVEDGE_HOLDING_H
#define SELVEDGE_HOLDING_H

#include "world.h"

/* Where a stream is counted. */
struct holding {
    struct node *back;         /* it may hold back bytes for this file */
    struct node *ahead;        /* it may have read bytes of this file ahead */
    struct description *moved; /* this may be at another position */
};

static inline void could_be_seen(void) { __selvedge_assumed("world.stdio-unbuffered"); }

/* Bytes or the size of a file are looked at, or also changed, by the stream with this holding (NULL: by no stream). */
static inline void note_use(const struct node *node, int changes, const struct holding *own)
{
    if (!node)
        return;
    unsigned back = own && own->back == node, ahead = own && own->ahead == node;
    if (node->n_back > back || (changes && node->n_ahead > ahead))
        could_be_seen();
}

/* The position is used or changed, or the description is left. */
static inline void note_position(const struct description *file, const struct holding *own)
{
    unsigned moved = own && own->moved == file;
    if (file->n_moved > moved)
        could_be_seen();
}

#endif
