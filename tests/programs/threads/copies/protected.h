/* What threads do between `begin` and `end` is done under a lock with -DLOCKED, and in an atomic section with -DSECTION. */
#ifndef PROTECTED_H
#define PROTECTED_H

#include "../team.h"

#ifdef SECTION
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
#endif

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static inline void begin(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#elif defined SECTION
    __VERIFIER_atomic_begin();
#endif
}

static inline void end(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#elif defined SECTION
    __VERIFIER_atomic_end();
#endif
}

#endif
