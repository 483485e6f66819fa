/* The clocks: the earliest time that each may show, and how they go on.
 *
 * A reading is an input: any time that is not before the last reading of the same clock. A sleep
 * is two steps: in the second one the wall clock and the steady clock are moved to what was asked after the time of the
 * first, unless they have gone further in between. One that a handler of a signal cuts short counts for the part that is
 * not left of it, which is any part. A wait that ends because its time is over moves the clock that it
 * waited by to its deadline. Nothing else ties the two to each other: a wall clock may be set forward.
 *
 * Readings of one clock by two threads are one step each, and depend on each other: which came first decides which of
 * the two may be the later one. (They would be independent if each reading were only compared with those that happen
 * before it, which takes a clock for each place that threads share.) A program without code that reads a clock does
 * nothing here. The engine knows `__selvedge_clocks` by its name: a loop that only moves clocks on is a wait (see
 * exec/src/threads/spin.rs), and no two accesses are ordered by a clock as far as races are concerned.
 *
 * An instant is one word, so that a reading is one atomic step: seconds in the upper bits and nanoseconds in the lower
 * 30, whose order is that of times and which are taken apart without a division; or, in programs that use std::chrono,
 * nanoseconds, which are what it shows. Every input gives a valid instant; that it is not too early is all that is assumed.
 */
#define _GNU_SOURCE
#include "clock.h"
#include "runtime.h"

void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);

#define BILLION 1000000000u
#define LOW_BITS 30
#define LOW (((uint64_t)1 << LOW_BITS) - 1)
/* The first second of 2000. */
#define START 946684800u

/* Readings end before 2106 (2038 where time_t has 32 bits). */
#if SIZE_MAX == UINT64_MAX
#define LAST_SECOND (((uint64_t)1 << 33) - 1)
#define PAIRS (((uint64_t)1 << 62) - 1)
#define COUNTS PAIRS
#else
#define LAST_SECOND (((uint64_t)1 << 31) - 1)
#define PAIRS (((uint64_t)1 << 61) - 1)
#define COUNTS (((uint64_t)1 << 60) - 1)
#endif

/* A sleep counts for this many seconds at most: sums that do not fit become small, so that no reading is left out. */
#define LONGEST ((int64_t)1 << 31)

/* A word that is read and written at once also where pointers have 32 bits. */
typedef uint64_t word __attribute__((aligned(8)));
typedef int64_t signed_word __attribute__((aligned(8)));

word __selvedge_clocks[N_CLOCKS];

static uint64_t instant(uint64_t seconds, uint64_t nanoseconds)
{
    return __selvedge_clock_counts() ? seconds * BILLION + nanoseconds : seconds << LOW_BITS | nanoseconds;
}

static int64_t between(int64_t low, int64_t n, int64_t high)
{
    return __builtin_elementwise_min(__builtin_elementwise_max(n, low), high);
}

/* The later one. Signed, so that a number that does not fit is early. */
static uint64_t later(uint64_t a, uint64_t b)
{
    return (uint64_t)__builtin_elementwise_max((int64_t)a, (int64_t)b);
}

static uint64_t any_time(int which)
{
    uint64_t any = __selvedge_time();
    if (which >= TICKS)
        return any & (LONG_MAX >> 1);
    if (__selvedge_clock_counts())
        return any & COUNTS;
    uint64_t low = any & LOW;
    return (any & PAIRS & ~LOW) | (low - (BILLION & -(uint64_t)(low >= BILLION)));
}

/* What a clock that stands still shows, if time has not passed. */
static uint64_t fixed(uint64_t last) { return later(last, instant(START, 0)); }

uint64_t __selvedge_clock_now(int which)
{
    word *last = &__selvedge_clocks[which];
    if (__selvedge_clock_is_fixed()) {
        uint64_t now = __atomic_load_n(last, __ATOMIC_SEQ_CST);
        return which < PROCESSOR ? fixed(now) : now;
    }
    __selvedge_assumed("world.clock-range");
    uint64_t now = any_time(which);
    __selvedge_assume_time(__atomic_exchange_n(last, now, __ATOMIC_SEQ_CST) <= now);
    return now;
}

long __selvedge_clock_seconds(uint64_t time)
{
    return (long)(__selvedge_clock_counts() ? time / BILLION : time >> LOW_BITS);
}

uint32_t __selvedge_clock_nanoseconds(uint64_t time)
{
    return (uint32_t)(__selvedge_clock_counts() ? time % BILLION : time & LOW);
}

static uint64_t sum(uint64_t time, uint64_t seconds, uint64_t nanoseconds)
{
    uint64_t sum = time + instant(seconds, nanoseconds);
    if (!__selvedge_clock_counts())
        sum += (LOW + 1 - BILLION) & -(uint64_t)((time & LOW) + nanoseconds >= BILLION);
    return sum;
}

uint64_t __selvedge_clock_any(void) { return any_time(STEADY); }
uint64_t __selvedge_clock_instant(uint64_t seconds, uint64_t nanoseconds) { return instant(seconds, nanoseconds); }
uint64_t __selvedge_clock_sum(uint64_t instant, uint64_t seconds, uint64_t nanoseconds)
{
    return sum(instant, seconds, nanoseconds);
}

void __selvedge_moment(struct moment *now)
{
    if (!__selvedge_clock_is_read())
        return;
    selvedge_atomic_begin();
    now->wall = __selvedge_clocks[WALL];
    now->steady = __selvedge_clocks[STEADY];
    selvedge_atomic_end();
    if (__selvedge_clock_is_fixed()) {
        now->wall = fixed(now->wall);
        now->steady = fixed(now->steady);
    }
}

void __selvedge_time_passed(const struct moment *since, long seconds, long nanoseconds)
{
    if (!__selvedge_clock_is_read())
        return;
    uint64_t whole = (uint64_t)between(0, seconds, LONGEST);
    uint64_t wall = sum(since->wall, whole, (uint64_t)nanoseconds);
    uint64_t steady = sum(since->steady, whole, (uint64_t)nanoseconds);
    selvedge_atomic_begin();
    __selvedge_clocks[WALL] = later(__selvedge_clocks[WALL], wall);
    __selvedge_clocks[STEADY] = later(__selvedge_clocks[STEADY], steady);
    selvedge_atomic_end();
}

/* Any part of a time, of `unit` to the second. */
static void any_part(long *seconds, long *fraction, uint64_t unit)
{
    uint64_t any = __selvedge_time();
    uint64_t low = unit == BILLION ? any & LOW : any & 0xfffff;
    int64_t whole = between(0, (int64_t)(any >> LOW_BITS), *seconds);
    /* Products of what is not known are much to ask a solver about. */
    if (__selvedge_clock_counts() && *seconds <= 8) {
        int64_t known = 0;
        while (known < *seconds && known != whole)
            known++;
        whole = known;
    }
    int64_t part = (int64_t)(low - (unit & -(uint64_t)(low >= unit)));
    int64_t is_whole = -(int64_t)(whole == *seconds);
    *seconds = (long)whole;
    *fraction = (long)((between(0, part, *fraction) & is_whole) | (part & ~is_whole));
}

int __selvedge_sleep_for(const struct timespec *wanted, struct timespec *left)
{
    struct moment begin;
    long seconds = (long)wanted->tv_sec, nanoseconds = wanted->tv_nsec;
    __selvedge_moment(&begin);
    if (!__selvedge_interrupts(0)) {
        __selvedge_time_passed(&begin, seconds, nanoseconds);
        return 0;
    }
    long rest = seconds, nano_rest = nanoseconds;
    any_part(&rest, &nano_rest, BILLION);
    left->tv_sec = rest;
    left->tv_nsec = nano_rest;
    long borrowed = nanoseconds < nano_rest;
    __selvedge_time_passed(&begin, seconds - rest - borrowed, nanoseconds - nano_rest + (BILLION & -borrowed));
    return 1;
}

void __selvedge_limit_left(struct timeval *limit, int is_over)
{
    long seconds = (long)limit->tv_sec + limit->tv_usec / 1000000, fraction = limit->tv_usec % 1000000;
    if (is_over)
        seconds = fraction = 0;
    else if (seconds > 0 || fraction > 0)
        any_part(&seconds, &fraction, 1000000);
    limit->tv_sec = seconds;
    limit->tv_usec = fraction;
}

void __selvedge_time_reaches(int which, long seconds, long nanoseconds)
{
    if (!__selvedge_clock_is_read())
        return;
    /* What std::chrono has taken apart is put together again, and a bound would be in the way of that. */
    int64_t whole = seconds;
    if (!__selvedge_clock_counts() || !__selvedge_is_symbolic((uintptr_t)seconds))
        whole = between(0, whole, (int64_t)LAST_SECOND);
    uint64_t time = instant((uint64_t)whole, (uint64_t)nanoseconds);
    __selvedge_clock_reaches(which, time);
}

void __selvedge_clock_reaches(int which, uint64_t instant)
{
    __atomic_fetch_max((signed_word *)&__selvedge_clocks[which], (int64_t)instant, __ATOMIC_SEQ_CST);
}

int __selvedge_clock_of(clockid_t id)
{
    switch (id) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_REALTIME_ALARM:
    case CLOCK_TAI: return WALL;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM: return STEADY;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID: return PROCESSOR;
    default: return -1;
    }
}
