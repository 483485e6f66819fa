/* Waits that end when their time is over: what the engine knows of them, and a clock that is at the deadline or later
 * if it was that what ended them. Whether time is over is open, as long as nothing else ends a wait. */
#define _GNU_SOURCE
#include "clock.h"
#include "runtime.h"

#include <pthread.h>
#include <semaphore.h>

/* Provided by the engine; the result is an error number. */
int __selvedge_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int __selvedge_cond_clock(pthread_cond_t *condition); /* the number of the clock that it was made with */
int __selvedge_mutex_timedlock(pthread_mutex_t *mutex);
int __selvedge_rwlock_timedrdlock(pthread_rwlock_t *lock);
int __selvedge_rwlock_timedwrlock(pthread_rwlock_t *lock);
int __selvedge_sem_timedwait(sem_t *semaphore);

static int is_for_waits(clockid_t clock) { return (clock == CLOCK_REALTIME) | (clock == CLOCK_MONOTONIC); }

static int ended(int error, clockid_t clock, struct timespec until)
{
    if (error == ETIMEDOUT)
        __selvedge_time_reaches(clock == CLOCK_MONOTONIC ? STEADY : WALL, (long)until.tv_sec, until.tv_nsec);
    return error;
}

int __selvedge_cond_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *until)
{
    struct timespec time = *until;
    if (!is_valid_time(&time) || !is_for_waits(clock))
        return EINVAL;
    return ended(__selvedge_cond_timedwait(condition, mutex), clock, time);
}

WEAK int pthread_cond_timedwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex,
                                const struct timespec *restrict until)
{
    return __selvedge_cond_wait_until(condition, mutex, __selvedge_cond_clock(condition), until);
}

WEAK int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                                const struct timespec *restrict until)
{
    return __selvedge_cond_wait_until(condition, mutex, clock, until);
}

/* A mutex that is free is taken, whatever the limit is; the others look at the limit first, as glibc does. */
#define LOCK(kind, call, looks_first)                                                                                  \
    int __selvedge_##kind##_##call##_until(pthread_##kind##_t *lock, clockid_t clock, const struct timespec *until)    \
    {                                                                                                                  \
        struct timespec time = *until;                                                                                 \
        if (!is_for_waits(clock) || (looks_first && !is_valid_time(&time)))                                            \
            return EINVAL;                                                                                             \
        int error = __selvedge_##kind##_timed##call(lock);                                                             \
        if (error == ETIMEDOUT && !is_valid_time(&time))                                                               \
            return EINVAL;                                                                                             \
        return ended(error, clock, time);                                                                              \
    }                                                                                                                  \
    WEAK int pthread_##kind##_timed##call(pthread_##kind##_t *restrict lock, const struct timespec *restrict until)    \
    {                                                                                                                  \
        return __selvedge_##kind##_##call##_until(lock, CLOCK_REALTIME, until);                                        \
    }                                                                                                                  \
    WEAK int pthread_##kind##_clock##call(pthread_##kind##_t *restrict lock, clockid_t clock,                          \
                                          const struct timespec *restrict until)                                      \
    {                                                                                                                  \
        return __selvedge_##kind##_##call##_until(lock, clock, until);                                                 \
    }
LOCK(mutex, lock, 0)
LOCK(rwlock, rdlock, 1)
LOCK(rwlock, wrlock, 1)

static int sem_wait_until(sem_t *semaphore, clockid_t clock, const struct timespec *until)
{
    struct timespec time = *until;
    int error = is_for_waits(clock) && is_valid_time(&time) ? __selvedge_sem_timedwait(semaphore) : EINVAL;
    if (ended(error, clock, time) == 0)
        return 0;
    errno = error;
    return -1;
}

WEAK int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    return sem_wait_until(semaphore, CLOCK_REALTIME, until);
}

WEAK int sem_clockwait(sem_t *restrict semaphore, clockid_t clock, const struct timespec *restrict until)
{
    return sem_wait_until(semaphore, clock, until);
}
