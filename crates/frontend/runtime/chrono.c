/* The clocks of std::chrono, in nanoseconds: each reading is an input, never earlier than the one of the same clock
 * before. They are not compared with what time.c says of the same clocks: going from one unit to the other is a division,
 * which solvers are slow at.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <time.h>

static int64_t system_time, steady_time;

/* Reading a clock is one step: others that read it at the same time must not put it back. */
void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

static int64_t read_clock(int64_t *last)
{
    selvedge_atomic_begin();
    int64_t now = __VERIFIER_nondet_longlong();
    /* Half of what fits, so that programs can add to it. */
    __VERIFIER_assume((now >= *last) & (now < INT64_MAX / 2));
    *last = now;
    selvedge_atomic_end();
    return now;
}

WEAK int64_t _ZNSt6chrono3_V212system_clock3nowEv(void) { return read_clock(&system_time); }
WEAK int64_t _ZNSt6chrono3_V212steady_clock3nowEv(void) { return read_clock(&steady_time); }

/* If the time is over, the clock says so from now on: std::condition_variable waits again if it does not. */
WEAK int pthread_cond_clockwait(pthread_cond_t *restrict condition, pthread_mutex_t *restrict mutex, clockid_t clock,
                                const struct timespec *restrict until)
{
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    int error = pthread_cond_timedwait(condition, mutex, until);
    if (error == ETIMEDOUT) {
        int64_t *last = clock == CLOCK_REALTIME ? &system_time : &steady_time;
        int64_t limit = (int64_t)until->tv_sec * 1000000000 + until->tv_nsec;
        selvedge_atomic_begin();
        int64_t left = limit - *last;
        *last += -(int64_t)(left > 0) & left;
        selvedge_atomic_end();
    }
    return error;
}
