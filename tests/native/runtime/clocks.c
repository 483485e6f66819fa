/* Clocks and random numbers: the inputs that they admit are those that keep their promises. */
#include "check.h"

#include <sys/time.h>
#include <time.h>

RT(time); RT(clock); RT(gettimeofday); RT(clock_gettime); RT(rand); RT(random); RT(rand_r); RT(difftime);

static int admitted(void)
{
    int result = assumptions_hold && n_planned == 0;
    assumptions_hold = 1;
    n_planned = 0;
    return result;
}

static void plan(long seconds, long nanoseconds)
{
    planned[1] = seconds;
    planned[0] = nanoseconds;
    n_planned = 2;
}

static void plan_seconds(long seconds)
{
    planned[0] = seconds;
    n_planned = 1;
}

static void check_wall_clock(void)
{
    struct timeval tv;
    struct timespec ts;
    time_t t;
    plan(100, 999999999);
    CHECK(rt_clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec == 100 && ts.tv_nsec == 999999999 && admitted(), "start");
    plan_seconds(100);
    CHECK(rt_time(&t) == 100 && t == 100 && admitted(), "time may stand still");
    plan_seconds(101);
    CHECK(rt_time(NULL) == 101 && admitted(), "time may pass");
    plan(101, 5000);
    CHECK(rt_gettimeofday(&tv, NULL) == 0 && tv.tv_sec == 101 && tv.tv_usec == 5 && admitted(), "microseconds");
    plan(102, 0);
    CHECK(rt_gettimeofday(&tv, NULL) == 0 && tv.tv_sec == 102 && tv.tv_usec == 0 && admitted(), "a new second");
    plan(0, 1);
    CHECK(rt_clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_sec == 0 && ts.tv_nsec == 1 && admitted(), "another clock");

    plan(0, 0);
    rt_clock_gettime(CLOCK_MONOTONIC, &ts);
    CHECK(!admitted(), "nanoseconds go back");
    plan(5, 1000000000);
    rt_clock_gettime(CLOCK_MONOTONIC, &ts);
    CHECK(!admitted(), "too many nanoseconds");
    plan_seconds(101);
    rt_time(NULL);
    CHECK(!admitted(), "seconds go back");
}

void check_clocks(void)
{
    assumptions_hold = 1;
    check_wall_clock();
    plan_seconds(7);
    CHECK(rt_clock() == 7 && admitted(), "clock");
    plan_seconds(6);
    rt_clock();
    CHECK(!admitted(), "clock goes back");
    CHECK(rt_difftime(7, 10) == -3.0, "difftime");
    for (int i = 0; i < 1000; i++) {
        unsigned seed = 1;
        long a = rt_rand(), b = rt_random(), c = rt_rand_r(&seed);
        CHECK(!admitted() == (a < 0 || b < 0 || c < 0), "rand gives %ld, %ld, %ld", a, b, c);
    }
}
