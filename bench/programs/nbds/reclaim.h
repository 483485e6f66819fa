/* When may the memory of a deleted node be used again? Not while another thread may still read it.
 *
 * Three answers with one interface, chosen by the macro RECLAIM:
 *
 *   0  never: deleted nodes are collected and released when nobody runs any more (`reclaim_all`). No shared accesses beyond
 *      the list of deleted nodes of each thread, which is its own.
 *   1  epochs (Fraser 2004): a thread says in which epoch it entered; what was deleted in an epoch is released two epochs
 *      later. The epoch advances when all threads inside have seen it.
 *   2  hazard pointers (Michael 2004): a thread says which nodes it is about to read; what nobody names is released.
 *
 * Every thread that uses a structure has a number below MAX_THREADS and calls `reclaim_begin` before and `reclaim_end` after
 * each operation. */
#ifndef NBDS_RECLAIM_H
#define NBDS_RECLAIM_H

#include "common.h"

#ifndef RECLAIM
#define RECLAIM 0
#endif
#ifndef MAX_THREADS
#define MAX_THREADS 4
#endif

#define N_HAZARDS 3

void reclaim_begin(int thread);
void reclaim_end(int thread);

/* The node is not reachable any more for threads that begin later. */
void reclaim_retire(int thread, void *node);

/* Announces that `node` will be read; the caller then looks again whether it is still linked. Nothing without hazard
 * pointers. */
void reclaim_protect(int thread, int slot, void *node);

/* Releases everything; no thread may be inside an operation. Returns how many nodes were left to release. */
int reclaim_all(void);

#endif
