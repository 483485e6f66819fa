/* Reading clocks, and sleeping: see clock.c for what times are possible. */
#define _GNU_SOURCE
#include "clock.h"
#include "runtime.h"

#include <pthread.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

static int failed(int error)
{
    errno = error;
    return -1;
}

WEAK time_t time(time_t *result)
{
    time_t now = (time_t)__selvedge_clock_seconds(__selvedge_clock_now(WALL));
    if (result)
        *result = now;
    return now;
}

WEAK int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    uint64_t time = __selvedge_clock_now(WALL);
    now->tv_sec = (time_t)__selvedge_clock_seconds(time);
    now->tv_usec = (suseconds_t)(__selvedge_clock_nanoseconds(time) / 1000);
    if (zone)
        *(struct timezone *)zone = (struct timezone){0, 0};
    return 0;
}

static void show(uint64_t time, struct timespec *now)
{
    now->tv_sec = (time_t)__selvedge_clock_seconds(time);
    now->tv_nsec = (long)__selvedge_clock_nanoseconds(time);
}

WEAK int clock_gettime(clockid_t clock, struct timespec *now)
{
    int which = __selvedge_clock_of(clock);
    if (which < 0)
        return failed(EINVAL);
    show(__selvedge_clock_now(which), now);
    return 0;
}

WEAK int timespec_get(struct timespec *now, int base)
{
    if (base != TIME_UTC)
        return 0;
    show(__selvedge_clock_now(WALL), now);
    return base;
}

WEAK int clock_getres(clockid_t clock, struct timespec *result)
{
    if (__selvedge_clock_of(clock) < 0)
        return failed(EINVAL);
    if (result) {
        __selvedge_assumed("world.configuration");
        result->tv_sec = 0;
        result->tv_nsec = clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE ? 4000000 : 1;
    }
    return 0;
}

/* Setting clocks takes a privilege. */
WEAK int clock_settime(clockid_t clock, const struct timespec *time)
{
    return failed(__selvedge_clock_of(clock) == WALL && is_valid_time(time) ? EPERM : EINVAL);
}

WEAK int settimeofday(const struct timeval *time, const struct timezone *zone)
{
    (void)time, (void)zone;
    return failed(EPERM);
}

/* <sys/timeb.h>, which newer C libraries do not have. */
struct timeb {
    time_t time;
    unsigned short millitm;
    short timezone, dstflag;
};

WEAK int ftime(struct timeb *now)
{
    uint64_t time = __selvedge_clock_now(WALL);
    now->time = (time_t)__selvedge_clock_seconds(time);
    now->millitm = (unsigned short)(__selvedge_clock_nanoseconds(time) / 1000000);
    now->timezone = 0;
    now->dstflag = 0;
    return 0;
}

/* Processor time has an instant of its own for each unit: nothing is promised about their ratio. */
WEAK clock_t clock(void) { return (clock_t)__selvedge_clock_now(TICKS); }

WEAK clock_t times(struct tms *times)
{
    if (times) {
        times->tms_utime = (clock_t)(__selvedge_clock_now(TICKS) / 10000);
        times->tms_stime = (clock_t)(__selvedge_clock_now(SYSTEM_TICKS) / 10000);
        times->tms_cutime = 0;
        times->tms_cstime = 0;
    }
    uint64_t time = __selvedge_clock_now(STEADY);
    return (clock_t)(__selvedge_clock_seconds(time) * 100 + (long)(__selvedge_clock_nanoseconds(time) / 10000000));
}

WEAK double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

/* A sleeping thread can be cancelled, and a handler of a signal ends its sleep, whatever flags it has. */
WEAK unsigned sleep(unsigned seconds)
{
    struct timespec time = {(long)(seconds & LONG_MAX), 0}, left;
    pthread_testcancel();
    return __selvedge_sleep_for(&time, &left) ? (unsigned)left.tv_sec : 0;
}

WEAK int usleep(useconds_t microseconds)
{
    struct timespec time = {(long)(microseconds / 1000000), (long)(microseconds % 1000000) * 1000}, left;
    pthread_testcancel();
    return __selvedge_sleep_for(&time, &left) ? failed(EINTR) : 0;
}

WEAK int nanosleep(const struct timespec *wanted, struct timespec *left)
{
    struct timespec time = *wanted, rest;
    if ((time.tv_sec < 0) | !is_valid_time(&time))
        return failed(EINVAL);
    pthread_testcancel();
    if (!__selvedge_sleep_for(&time, &rest))
        return 0;
    if (left)
        *left = rest;
    return failed(EINTR);
}

WEAK int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left)
{
    struct timespec time = *wanted, rest;
    int which = __selvedge_clock_of(clock);
    if ((which < 0) | (clock == CLOCK_THREAD_CPUTIME_ID) | (time.tv_sec < 0) | !is_valid_time(&time))
        return EINVAL;
    pthread_testcancel();
    if (flags & TIMER_ABSTIME) {
        if (__selvedge_interrupts(0))
            return EINTR;
        __selvedge_time_reaches(which, (long)time.tv_sec, time.tv_nsec);
        return 0;
    }
    if (!__selvedge_sleep_for(&time, &rest))
        return 0;
    if (left)
        *left = rest;
    return EINTR;
}
