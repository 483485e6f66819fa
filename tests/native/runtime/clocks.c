/* Clocks and random numbers: the inputs that they admit are those that keep their promises. */
#include "check.h"

#include <sys/time.h>
#include <time.h>
#include <unistd.h>

RT(time); RT(clock); RT(gettimeofday); RT(clock_gettime); RT(clock_nanosleep); RT(timespec_get); RT(nanosleep);
RT(sleep); RT(rand); RT(random); RT(rand_r); RT(difftime);

/* What the engine provides. */
static uint64_t next_time;
static int is_fixed, counts, interrupts;
uint64_t rt___selvedge_time(void) { return next_time; }
void rt___selvedge_assume_time(int holds) { assumptions_hold &= holds; }
int rt___selvedge_clock_is_read(void) { return 1; }
int rt___selvedge_interrupts(int restarts) { return (void)restarts, interrupts; }
int rt___selvedge_clock_is_fixed(void) { return is_fixed; }
int rt___selvedge_clock_counts(void) { return counts; }
int numbers_are_symbolic;
int rt___selvedge_is_symbolic(uintptr_t n) { return (void)n, numbers_are_symbolic; }
void rt_selvedge_atomic_begin(void) {}
void rt_selvedge_atomic_end(void) {}

extern uint64_t rt___selvedge_clocks[5];

static int admitted(void)
{
    int result = assumptions_hold;
    assumptions_hold = 1;
    return result;
}

static void plan(uint64_t seconds, uint64_t nanoseconds)
{
    next_time = counts ? seconds * 1000000000 + nanoseconds : seconds << 30 | nanoseconds;
}

static void check_wall_clock(void)
{
    struct timeval tv;
    struct timespec ts;
    time_t t;
    plan(100, 999999999);
    CHECK(rt_clock_gettime(CLOCK_REALTIME, &ts) == 0 && ts.tv_sec == 100 && ts.tv_nsec == 999999999 && admitted(), "start");
    CHECK(rt_time(&t) == 100 && t == 100 && admitted(), "time may stand still");
    plan(101, 0);
    CHECK(rt_time(NULL) == 101 && admitted(), "time may pass");
    plan(101, 5000);
    CHECK(rt_gettimeofday(&tv, NULL) == 0 && tv.tv_sec == 101 && tv.tv_usec == 5 && admitted(), "microseconds");
    plan(102, 0);
    CHECK(rt_timespec_get(&ts, TIME_UTC) == TIME_UTC && ts.tv_sec == 102 && ts.tv_nsec == 0 && admitted(), "a new second");
    plan(0, 1);
    CHECK(rt_clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_sec == 0 && ts.tv_nsec == 1 && admitted(), "another clock");
    CHECK(rt_clock_gettime(999, &ts) == -1 && rt_errno == EINVAL, "no clock");

    plan(0, 0);
    rt_clock_gettime(CLOCK_MONOTONIC, &ts);
    CHECK(!admitted(), "nanoseconds go back");
    plan(101, 999999999);
    rt_time(NULL);
    CHECK(!admitted(), "seconds go back");
    for (int i = 0; i < 1000; i++) {
        next_time = random_bits();
        rt_clock_gettime(CLOCK_MONOTONIC, &ts);
        CHECK(ts.tv_sec >= 0 && ts.tv_nsec >= 0 && ts.tv_nsec < 1000000000, "%ld, %ld", (long)ts.tv_sec, ts.tv_nsec);
    }
    admitted();
}

static void check_sleeping(void)
{
    struct timespec ts = {.tv_sec = 3, .tv_nsec = 700000000};
    memset(rt___selvedge_clocks, 0, sizeof rt___selvedge_clocks);
    plan(200, 500000000);
    rt_time(NULL);
    rt_nanosleep(&ts, NULL);
    plan(204, 199999999);
    rt_time(NULL);
    CHECK(!admitted(), "the sleep was longer");
    memset(rt___selvedge_clocks, 0, sizeof rt___selvedge_clocks);
    plan(200, 500000000);
    rt_time(NULL);
    rt_nanosleep(&ts, NULL);
    plan(204, 200000000);
    rt_time(NULL);
    CHECK(admitted(), "just as long");
    ts.tv_sec = 300;
    CHECK(rt_clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &ts, NULL) == 0, "until then");
    plan(300, 699999999);
    rt_time(NULL);
    CHECK(!admitted(), "before that");
    is_fixed = 1;
    memset(rt___selvedge_clocks, 0, sizeof rt___selvedge_clocks);
    CHECK(rt_time(NULL) == 946684800 && rt_sleep(7) == 0 && rt_time(NULL) == 946684807, "a fixed clock");
    is_fixed = 0;
}

/* What is left of a sleep that is cut short is a part of it, whatever the input; the rest has passed. */
static void check_cut_short(void)
{
    static const uint64_t any[] = {0, 1, 5, 999999999, 1000000000, 1073741823, (uint64_t)3 << 30 | 700000000,
                                   (uint64_t)3 << 30 | 700000001, (uint64_t)2 << 30 | 900000000, UINT64_MAX};
    interrupts = 1;
    for (size_t i = 0; i < sizeof any / sizeof *any; i++) {
        struct timespec ts = {.tv_sec = 3, .tv_nsec = 700000000}, left;
        is_fixed = 1;
        memset(rt___selvedge_clocks, 0, sizeof rt___selvedge_clocks);
        next_time = any[i];
        rt_errno = 0;
        CHECK(rt_nanosleep(&ts, &left) == -1 && rt_errno == EINTR, "cut short");
        CHECK(left.tv_sec >= 0 && left.tv_nsec >= 0 && left.tv_nsec < 1000000000, "a time");
        CHECK(left.tv_sec < 3 || (left.tv_sec == 3 && left.tv_nsec <= 700000000), "a part");
        struct timespec now;
        rt_clock_gettime(CLOCK_MONOTONIC, &now);
        long long passed = (now.tv_sec - 946684800) * 1000000000LL + now.tv_nsec;
        CHECK(passed + left.tv_sec * 1000000000LL + left.tv_nsec == 3700000000LL, "the rest has passed");
        CHECK(rt_clock_nanosleep(CLOCK_REALTIME, 0, &ts, &ts) == EINTR && ts.tv_sec <= 3, "in place");
        CHECK(rt_sleep(7) <= 7, "seconds");
    }
    interrupts = is_fixed = 0;
}

void check_clocks(void)
{
    assumptions_hold = 1;
    for (counts = 0; counts < 2; counts++) {
        memset(rt___selvedge_clocks, 0, sizeof rt___selvedge_clocks);
        check_wall_clock();
        check_sleeping();
        check_cut_short();
    }
    counts = 0;
    next_time = 7;
    CHECK(rt_clock() == 7 && admitted(), "clock");
    next_time = 6;
    rt_clock();
    CHECK(!admitted(), "clock goes back");
    CHECK(rt_difftime(7, 10) == -3.0, "difftime");
    for (int i = 0; i < 1000; i++) {
        unsigned seed = 1;
        long a = rt_rand(), b = rt_random(), c = rt_rand_r(&seed);
        CHECK(!admitted() == (a < 0 || b < 0 || c < 0), "rand gives %ld, %ld, %ld", a, b, c);
    }
}
