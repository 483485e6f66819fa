/* Clocks: each reading is an input, never earlier than the reading of the same clock before.
 *
 * The only promises are monotony, non-negative values and fractions in range; how much time passes between two readings
 * is open.
 */
#define _GNU_SOURCE
#include "runtime.h"

#include <pthread.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

struct instant {
    long seconds;
    long nanoseconds;
};

/* The wall clock, any other clock, and the processor time. */
static struct instant wall, other;
static long processor;

static long any_at_least(long lowest)
{
    long value = __VERIFIER_nondet_long();
    __VERIFIER_assume(value >= lowest);
    return value;
}

/* Reading a clock is one step: others that read it at the same time must not put it back. */
void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

static struct instant read_clock(struct instant *last)
{
    selvedge_atomic_begin();
    long seconds = any_at_least(last->seconds);
    long nanoseconds = any_at_least(0);
    __VERIFIER_assume((nanoseconds < 1000000000) &
                      ((seconds > last->seconds) | (nanoseconds >= last->nanoseconds)));
    last->seconds = seconds;
    last->nanoseconds = nanoseconds;
    selvedge_atomic_end();
    return (struct instant){seconds, nanoseconds};
}

WEAK time_t time(time_t *result)
{
    selvedge_atomic_begin();
    long seconds = any_at_least(wall.seconds);
    /* Whole seconds only: a later reading in the same second may have any fraction from here on. */
    wall.nanoseconds = -(long)(seconds == wall.seconds) & wall.nanoseconds;
    wall.seconds = seconds;
    selvedge_atomic_end();
    if (result)
        *result = (time_t)seconds;
    return (time_t)seconds;
}

WEAK int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    struct instant instant = read_clock(&wall);
    now->tv_sec = (time_t)instant.seconds;
    now->tv_usec = (suseconds_t)(instant.nanoseconds / 1000);
    if (zone)
        *(struct timezone *)zone = (struct timezone){0, 0};
    return 0;
}

WEAK int clock_gettime(clockid_t clock, struct timespec *now)
{
    struct instant instant = read_clock(clock == CLOCK_REALTIME ? &wall : &other);
    now->tv_sec = (time_t)instant.seconds;
    now->tv_nsec = instant.nanoseconds;
    return 0;
}

WEAK clock_t clock(void)
{
    selvedge_atomic_begin();
    long now = any_at_least(processor);
    processor = now;
    selvedge_atomic_end();
    return (clock_t)now;
}

WEAK double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

/* How long a sleep lasts cannot be told without reading a clock, and the clocks are open anyway. A sleeping thread can be
 * cancelled. */
WEAK unsigned sleep(unsigned seconds)
{
    (void)seconds;
    pthread_testcancel();
    return 0;
}

WEAK int usleep(useconds_t microseconds)
{
    (void)microseconds;
    pthread_testcancel();
    return 0;
}

WEAK int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    (void)left;
    if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999) {
        errno = EINVAL;
        return -1;
    }
    pthread_testcancel();
    return 0;
}
