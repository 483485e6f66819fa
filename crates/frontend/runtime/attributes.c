/* Attributes of threads and of what they synchronise with: small numbers in opaque objects.
 *
 * The engine reads the first two bytes of an attribute object when it makes a thread (is it detached) or a mutex (its
 * type, and is it robust). The rest is only remembered: which other values a call refuses is POSIX's business, what they
 * do to the schedule changes nothing, as every schedule is explored.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <time.h>

/* Least stack of a thread, and what it has if nobody asks. */
#define LEAST_STACK 16384
#define USUAL_STACK (8ul << 20)

struct thread_attributes {
    unsigned char is_detached, scope, inherits, policy;
    int priority;
    unsigned long stack, guard;
};

struct mutex_attributes {
    unsigned char type, is_robust, is_shared, protocol;
};

struct other_attributes {
    unsigned char is_shared, choice;
};

_Static_assert(sizeof(struct thread_attributes) <= sizeof(pthread_attr_t), "attributes of threads");
_Static_assert(sizeof(struct mutex_attributes) <= sizeof(pthread_mutexattr_t), "attributes of mutexes");
_Static_assert(sizeof(struct other_attributes) <= sizeof(pthread_condattr_t), "attributes of conditions");
_Static_assert(sizeof(struct other_attributes) <= sizeof(pthread_barrierattr_t), "attributes of barriers");
_Static_assert(sizeof(struct other_attributes) <= sizeof(pthread_rwlockattr_t), "attributes of read-write locks");

/* Remembers a value of 0 to `largest`. */
static int choose(unsigned char *field, int value, int largest)
{
    if (value < 0 || value > largest)
        return EINVAL;
    *field = (unsigned char)value;
    return 0;
}

static int tell(int *out, int value)
{
    *out = value;
    return 0;
}

#define THREAD(a) ((struct thread_attributes *)(a))
#define MUTEX(a) ((struct mutex_attributes *)(a))
#define OTHER(a) ((struct other_attributes *)(a))

/* --- Threads --- */

WEAK int pthread_attr_init(pthread_attr_t *a)
{
    *THREAD(a) = (struct thread_attributes){.guard = 4096};
    return 0;
}

WEAK int pthread_attr_destroy(pthread_attr_t *a)
{
    (void)a;
    return 0;
}

WEAK int pthread_attr_setdetachstate(pthread_attr_t *a, int state)
{
    return choose(&THREAD(a)->is_detached, state, PTHREAD_CREATE_DETACHED);
}

WEAK int pthread_attr_getdetachstate(const pthread_attr_t *a, int *out) { return tell(out, THREAD(a)->is_detached); }

WEAK int pthread_attr_setscope(pthread_attr_t *a, int scope)
{
    return scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : choose(&THREAD(a)->scope, scope, PTHREAD_SCOPE_SYSTEM);
}

WEAK int pthread_attr_getscope(const pthread_attr_t *restrict a, int *restrict out)
{
    return tell(out, THREAD(a)->scope);
}

WEAK int pthread_attr_setinheritsched(pthread_attr_t *a, int inherits)
{
    return choose(&THREAD(a)->inherits, inherits, PTHREAD_EXPLICIT_SCHED);
}

WEAK int pthread_attr_getinheritsched(const pthread_attr_t *restrict a, int *restrict out)
{
    return tell(out, THREAD(a)->inherits);
}

WEAK int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy)
{
    return choose(&THREAD(a)->policy, policy, SCHED_RR);
}

WEAK int pthread_attr_getschedpolicy(const pthread_attr_t *restrict a, int *restrict out)
{
    return tell(out, THREAD(a)->policy);
}

WEAK int pthread_attr_setschedparam(pthread_attr_t *restrict a, const struct sched_param *restrict param)
{
    int is_plain = THREAD(a)->policy == SCHED_OTHER, priority = param->sched_priority;
    if (is_plain ? priority != 0 : priority < 1 || priority > 99)
        return EINVAL;
    THREAD(a)->priority = priority;
    return 0;
}

WEAK int pthread_attr_getschedparam(const pthread_attr_t *restrict a, struct sched_param *restrict out)
{
    out->sched_priority = THREAD(a)->priority;
    return 0;
}

WEAK int pthread_attr_setstacksize(pthread_attr_t *a, size_t size)
{
    if (size < LEAST_STACK)
        return EINVAL;
    THREAD(a)->stack = size;
    return 0;
}

WEAK int pthread_attr_getstacksize(const pthread_attr_t *restrict a, size_t *restrict out)
{
    if (THREAD(a)->stack == 0)
        __selvedge_assumed("world.configuration");
    *out = THREAD(a)->stack ? THREAD(a)->stack : USUAL_STACK;
    return 0;
}

WEAK int pthread_attr_setguardsize(pthread_attr_t *a, size_t size)
{
    THREAD(a)->guard = size;
    return 0;
}

WEAK int pthread_attr_getguardsize(const pthread_attr_t *restrict a, size_t *restrict out)
{
    __selvedge_assumed("world.configuration");
    *out = THREAD(a)->guard;
    return 0;
}

/* Names have room for 16 bytes. */
WEAK int pthread_setname_np(pthread_t thread, const char *name)
{
    (void)thread;
    for (int i = 0; i < 16; i++) {
        if (name[i] == 0)
            return 0;
    }
    return ERANGE;
}

static int concurrency;

WEAK int pthread_setconcurrency(int level)
{
    if (level < 0)
        return EINVAL;
    __atomic_store_n(&concurrency, level, __ATOMIC_RELAXED);
    return 0;
}

WEAK int pthread_getconcurrency(void) { return __atomic_load_n(&concurrency, __ATOMIC_RELAXED); }

/* --- Mutexes --- */

WEAK int pthread_mutexattr_init(pthread_mutexattr_t *a)
{
    *MUTEX(a) = (struct mutex_attributes){0};
    return 0;
}

WEAK int pthread_mutexattr_destroy(pthread_mutexattr_t *a)
{
    (void)a;
    return 0;
}

WEAK int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type)
{
    return choose(&MUTEX(a)->type, type, PTHREAD_MUTEX_ADAPTIVE_NP);
}

WEAK int pthread_mutexattr_setkind_np(pthread_mutexattr_t *a, int type)
{
    return choose(&MUTEX(a)->type, type, PTHREAD_MUTEX_ADAPTIVE_NP);
}

WEAK int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict a, int *restrict out)
{
    return tell(out, MUTEX(a)->type);
}

WEAK int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust)
{
    return choose(&MUTEX(a)->is_robust, robust, PTHREAD_MUTEX_ROBUST);
}

WEAK int pthread_mutexattr_getrobust(const pthread_mutexattr_t *a, int *out) { return tell(out, MUTEX(a)->is_robust); }

WEAK int pthread_mutexattr_setpshared(pthread_mutexattr_t *a, int shared)
{
    return choose(&MUTEX(a)->is_shared, shared, PTHREAD_PROCESS_SHARED);
}

WEAK int pthread_mutexattr_getpshared(const pthread_mutexattr_t *restrict a, int *restrict out)
{
    return tell(out, MUTEX(a)->is_shared);
}

WEAK int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol)
{
    return choose(&MUTEX(a)->protocol, protocol, PTHREAD_PRIO_PROTECT);
}

WEAK int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict a, int *restrict out)
{
    return tell(out, MUTEX(a)->protocol);
}

/* --- Condition variables --- */

WEAK int pthread_condattr_init(pthread_condattr_t *a)
{
    *OTHER(a) = (struct other_attributes){0};
    return 0;
}

WEAK int pthread_condattr_destroy(pthread_condattr_t *a)
{
    (void)a;
    return 0;
}

WEAK int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock)
{
    return choose(&OTHER(a)->choice, clock, CLOCK_MONOTONIC);
}

WEAK int pthread_condattr_getclock(const pthread_condattr_t *restrict a, clockid_t *restrict out)
{
    return tell(out, OTHER(a)->choice);
}

WEAK int pthread_condattr_setpshared(pthread_condattr_t *a, int shared)
{
    return choose(&OTHER(a)->is_shared, shared, PTHREAD_PROCESS_SHARED);
}

WEAK int pthread_condattr_getpshared(const pthread_condattr_t *restrict a, int *restrict out)
{
    return tell(out, OTHER(a)->is_shared);
}

/* --- Read-write locks --- */

WEAK int pthread_rwlockattr_init(pthread_rwlockattr_t *a)
{
    *OTHER(a) = (struct other_attributes){0};
    return 0;
}

WEAK int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a)
{
    (void)a;
    return 0;
}

WEAK int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared)
{
    return choose(&OTHER(a)->is_shared, shared, PTHREAD_PROCESS_SHARED);
}

WEAK int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict a, int *restrict out)
{
    return tell(out, OTHER(a)->is_shared);
}

WEAK int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind)
{
    return choose(&OTHER(a)->choice, kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}

WEAK int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict a, int *restrict out)
{
    return tell(out, OTHER(a)->choice);
}

/* --- Barriers --- */

WEAK int pthread_barrierattr_init(pthread_barrierattr_t *a)
{
    *OTHER(a) = (struct other_attributes){0};
    return 0;
}

WEAK int pthread_barrierattr_destroy(pthread_barrierattr_t *a)
{
    (void)a;
    return 0;
}

WEAK int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int shared)
{
    return choose(&OTHER(a)->is_shared, shared, PTHREAD_PROCESS_SHARED);
}

WEAK int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict a, int *restrict out)
{
    return tell(out, OTHER(a)->is_shared);
}
