/* When may the memory of a deleted node be used again? Not while another thread may still read it.
 *
 * Four answers with one interface, chosen by the macro RECLAIM for the whole program:
 *
 *   0  at the end: deleted nodes are collected and released when nobody runs any more (`reclaim_all`). No shared accesses at
 *      all.
 *   1  epochs (Fraser 2004): a thread says in which epoch it entered; what was deleted is released when every thread has been
 *      outside or in a later epoch since. One slow thread holds up everybody's memory.
 *   2  hazard pointers (Michael 2004): a thread says which nodes it is about to read; what nobody names is released. Memory
 *      that waits is bounded, but every node that is read has to be announced first.
 *   3  grace periods (McKenney and Slingwine 1998, userspace RCU): a thread counts its entries and exits; a full batch
 *      remembers the counts of all, and is released when those who were inside have left. No common counter, but a batch
 *      has to be full before its time begins.
 *
 * Every thread that uses a structure has a number below MAX_THREADS: either the program hands them out itself, or a thread
 * asks for one (`reclaim_register`). It calls `reclaim_begin` before and `reclaim_end` after each operation; they nest. */
#ifndef NBDS_RECLAIM_H
#define NBDS_RECLAIM_H

#include "common.h"

#define RECLAIM_AT_END 0
#define RECLAIM_EPOCHS 1
#define RECLAIM_HAZARDS 2
#define RECLAIM_GRACE 3

#ifndef RECLAIM
#define RECLAIM RECLAIM_AT_END
#endif
#ifndef MAX_THREADS
#define MAX_THREADS 4
#endif
/* Nodes that an operation may announce at a time, and nodes that a thread may hold on to between operations. */
#ifndef N_HAZARDS
#define N_HAZARDS 9
#endif
#ifndef N_PINS
#define N_PINS 2
#endif

/* Releases a node that was retired; `context` is what it was retired with. */
typedef void Release(void *node, void *context);

typedef struct {
    size_t n_retired;
    size_t n_released;
    size_t n_waiting;
    int n_threads; /* That are registered. */
} ReclaimAccount;

void reclaim_begin(int thread);
void reclaim_end(int thread);

/* The node is not reachable any more for threads that begin later. It will be released by `free`, or by `release`. The caller
 * is inside an operation. */
void reclaim_retire(int thread, void *node);
void reclaim_retire_with(int thread, void *node, Release *release, void *context);

/* Announces that `node` will be read; the caller then looks again whether it is still linked. Slots are below N_HAZARDS, and
 * `reclaim_end` clears them. A node that is announced in one slot may be announced in a higher one instead without looking
 * again: whoever scans, scans upwards. Nothing is to be announced without hazard pointers. */
#if RECLAIM == RECLAIM_HAZARDS
void reclaim_protect(int thread, int slot, const void *node);
#else
static inline void reclaim_protect(int thread, int slot, const void *node)
{
    (void)thread;
    (void)slot;
    (void)node;
}
#endif

/* Holds on to a node beyond the end of the operation that has found it; it must be protected, or null. Returns the pin, or a
 * negative number if the thread has no pin left. */
int reclaim_pin(int thread, const void *node);
/* Lets the pin hold another node, which must be protected as well. */
void reclaim_repin(int thread, int pin, const void *node);
void reclaim_unpin(int thread, int pin);

/* A number for the calling thread that no other thread has, or a negative one if all are taken. What a thread leaves behind
 * that nobody may release yet is taken over by the others. */
int reclaim_register(void);
void reclaim_unregister(int thread);

/* Releases what can be released by now without waiting; returns how many nodes. The thread is outside of operations. */
int reclaim_flush(int thread);

/* Releases everything; no thread may be inside an operation. Returns how many nodes were left to release. */
int reclaim_all(void);

/* For quiet times only. */
ReclaimAccount reclaim_account(void);
/* Whether nobody is inside, nothing is announced, and what was retired is either released or waits. */
bool reclaim_is_sound(void);

#endif
