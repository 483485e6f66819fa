// Clocks never go back, sleeping moves them on, and the functions that read one clock agree.
//@ verdict: safe
//@ flags: --check default,overflow
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int is_before(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec < b->tv_sec || (a->tv_sec == b->tv_sec && a->tv_nsec < b->tv_nsec);
}

int main(void)
{
    time_t first = time(NULL);
    assert(first >= 0);
    sleep(2);
    assert(time(NULL) - first >= 2);

    struct timeval day;
    gettimeofday(&day, NULL);
    assert(day.tv_sec >= first + 2 && day.tv_usec >= 0 && day.tv_usec < 1000000);
    struct timespec a, b;
    assert(timespec_get(&a, TIME_UTC) == TIME_UTC && a.tv_sec >= day.tv_sec);
    assert(clock_gettime(CLOCK_REALTIME_COARSE, &b) == 0 && !is_before(&b, &a));

    assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0);
    long long nanoseconds = a.tv_sec * 1000000000LL + a.tv_nsec; // fits
    assert(nanoseconds >= 0);
    usleep(1500000);
    clock_gettime(CLOCK_MONOTONIC_RAW, &b);
    a.tv_sec++;
    assert(is_before(&a, &b));

    struct timespec until = {.tv_sec = b.tv_sec + 3, .tv_nsec = b.tv_nsec};
    assert(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == 0);
    clock_gettime(CLOCK_MONOTONIC, &a);
    assert(!is_before(&a, &until));
    clock_t ticks = clock();
    assert(clock() >= ticks);

    assert(clock_gettime(999, &a) == -1 && errno == EINVAL);
    assert(clock_getres(999, &a) == -1 && clock_getres(CLOCK_REALTIME, &a) == 0 && a.tv_nsec == 1);
    assert(clock_settime(CLOCK_REALTIME, &b) == -1 && errno == EPERM);
    assert(clock_nanosleep(999, 0, &until, NULL) == EINVAL);
    until.tv_nsec = 1000000000;
    assert(nanosleep(&until, NULL) == -1 && errno == EINVAL);
    return 0;
}
