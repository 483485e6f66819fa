/* The granularity of the paper's figures: a thread's last access and its end are one step, and so is the start of all
   threads. What is left are exactly the accesses that the figures draw. */
#ifndef STEPS_H
#define STEPS_H

#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

/* Everything that follows in this thread, its end included, is one step. */
#define LAST_STEP __VERIFIER_atomic_begin()

/* All threads that are started between these two begin to run at the same time. */
#define START_THREADS __VERIFIER_atomic_begin()
#define THREADS_STARTED __VERIFIER_atomic_end()

#endif
