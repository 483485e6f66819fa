/* Timers that threads wait for: timerfd.
 *
 * A timer has expired if a reading of its clock is not before its time; so whoever looks without waiting explores both, as
 * far as the clocks allow both, and a clock that is read later agrees with what was seen. Who waits for nothing else gets
 * a reading that is late enough. As on Linux, one with an interval counts on only when it is read, and relative times are
 * those of the steady clock.
 */
#include "clock.h"
#include "waiting.h"

#include <poll.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define BILLION 1000000000u
#define NEVER UINT64_MAX
/* Times that are further away do not come before clocks end (see clock.c). */
#define LONGEST ((int64_t)1 << 31)
#define LAST_SECOND (((int64_t)1 << 33) - 1)

struct timer {
    int clock; /* that it was made with */
    int which; /* that it goes by */
    int is_set, has_expired, is_relative;
    uint64_t due; /* an instant */
    struct timespec interval;
    uint64_t wall; /* of a relative one: what the wall clock shows then, at least */
    uint64_t expirations;
    struct queue for_reading;
};

static uint64_t now(const struct timer *timer) { return __selvedge_clock_now(timer->which); }

static uint64_t after(uint64_t instant, const struct timespec *time)
{
    return __selvedge_clock_sum(instant, (uint64_t)time->tv_sec, (uint64_t)time->tv_nsec);
}

static int is_zero(const struct timespec *time) { return (time->tv_sec == 0) & (time->tv_nsec == 0); }

static void expire(struct description *file)
{
    struct timer *timer = file->own;
    timer->has_expired = 1;
    timer->expirations++;
    if (timer->is_relative)
        __selvedge_clock_reaches(WALL, timer->wall);
    __selvedge_changed(&timer->for_reading);
    happened(file, POLLIN);
}

/* Inside a step: looks at the clock, unless it is known to have expired. */
static void look(struct description *file, int must)
{
    struct timer *timer = file->own;
    if (!timer->is_set || timer->has_expired || timer->due == NEVER)
        return;
    if (must && __selvedge_clock_is_fixed()) {
        __selvedge_time_reaches(timer->which, __selvedge_clock_seconds(timer->due),
                                __selvedge_clock_nanoseconds(timer->due));
    } else if (must) {
        __selvedge_assume_time(now(timer) >= timer->due);
    } else if (now(timer) < timer->due) {
        return;
    }
    expire(file);
}

static struct timespec twice(const struct timespec *time)
{
    long carries = time->tv_nsec >= (long)(BILLION / 2);
    return (struct timespec){2 * time->tv_sec + carries, 2 * time->tv_nsec - ((long)BILLION & -carries)};
}

static uint64_t count(uint64_t instant)
{
    return (uint64_t)__selvedge_clock_seconds(instant) * BILLION + __selvedge_clock_nanoseconds(instant);
}

/* How many bits of a count of expirations are known. */
#define KNOWN_BITS 4

/* How often it has expired until `time` since it was due, and when it is due next. More than 2^KNOWN_BITS is
 * any number, as is more than one with long intervals, and then the next time is any that is near enough: long divisions are much to ask a solver about. */
static uint64_t count_on(struct timer *timer, uint64_t time)
{
    const struct timespec *interval = &timer->interval;
    if (__selvedge_clock_is_fixed()) {
        uint64_t length = (uint64_t)interval->tv_sec * BILLION + (uint64_t)interval->tv_nsec;
        uint64_t n = (count(time) - count(timer->due)) / length + 1, due = count(timer->due) + n * length;
        timer->due = __selvedge_clock_instant(due / BILLION, due % BILLION);
        return n;
    }
    uint64_t second = after(timer->due, interval);
    if (time < second)
        return timer->due = second, 1;
    struct timespec multiples[KNOWN_BITS + 1] = {*interval};
    for (int bit = 1; bit <= KNOWN_BITS; bit++)
        multiples[bit] = twice(&multiples[bit - 1]);
    int is_long = (int64_t)interval->tv_sec >= LONGEST >> KNOWN_BITS;
    if (is_long || time >= after(timer->due, &multiples[KNOWN_BITS])) {
        timer->due = __selvedge_clock_any();
        __selvedge_assume_time((timer->due > time) & (timer->due <= after(time, interval)));
        return (is_long ? 1 : 1 << KNOWN_BITS) + 1 + (__selvedge_time() >> 32);
    }
    uint64_t passed = 0;
    for (int bit = KNOWN_BITS - 1; bit >= 0; bit--) {
        uint64_t next = after(timer->due, &multiples[bit]), fits = -(uint64_t)(next <= time);
        timer->due = (next & fits) | (timer->due & ~fits);
        passed |= ((uint64_t)1 << bit) & fits;
    }
    timer->due = after(timer->due, interval);
    return passed + 1;
}

/* One that has expired goes on from `time`, if it has an interval. */
static void go_on(struct timer *timer, uint64_t time)
{
    timer->has_expired = 0;
    if (is_zero(&timer->interval)) {
        timer->is_set = 0;
        return;
    }
    timer->expirations += count_on(timer, time) - 1;
    timer->wall = after(timer->wall, &timer->interval);
}

static ssize_t timer_read(struct description *file, unsigned char *to, size_t size, long long *at)
{
    (void)at;
    struct timer *timer = file->own;
    if (size < sizeof timer->expirations)
        return -EINVAL;
    look(file, !never_waits(file));
    if (timer->expirations == 0) {
        if (!never_waits(file))
            __selvedge_enqueue(&timer->for_reading, 0);
        return WOULD_WAIT;
    }
    if (timer->has_expired)
        go_on(timer, is_zero(&timer->interval) ? 0 : now(timer));
    memcpy(to, &timer->expirations, sizeof timer->expirations);
    timer->expirations = 0;
    return sizeof timer->expirations;
}

static int timer_ready(struct description *file, int must)
{
    struct timer *timer = file->own;
    look(file, must);
    return timer->expirations > 0 ? POLLIN : 0;
}

static uint64_t timer_due(struct description *file)
{
    struct timer *timer = file->own;
    return timer->is_set && !timer->has_expired ? timer->due : NEVER;
}

static int timer_is_slow(struct description *file)
{
    return timer_due(file) != NEVER && ((struct timer *)file->own)->expirations == 0;
}

static int timer_facts(struct description *file, struct facts *facts)
{
    (void)file;
    facts->mode = 0600;
    facts->links = 1;
    return 0;
}

static const struct operations timer_kind = {
    .read = timer_read,
    .facts = timer_facts,
    .wait_to_read = __selvedge_wait_in_queue,
    .ready = timer_ready,
    .due = timer_due,
    .is_slow = timer_is_slow,
    .may_ignore_offsets = 1,
};

WEAK int timerfd_create(clockid_t clock, int flags)
{
    if (clock == CLOCK_REALTIME_ALARM || clock == CLOCK_BOOTTIME_ALARM)
        __selvedge_unsupported("timers that wake the system up");
    if ((flags & ~(TFD_NONBLOCK | TFD_CLOEXEC)) ||
        (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC && clock != CLOCK_BOOTTIME))
        return (int)outcome(-EINVAL);
    enter_world();
    int failure = FAILURE(EMFILE);
    if (failure < 0) {
        leave_world();
        return (int)outcome(failure);
    }
    struct timer *timer = __selvedge_keep(sizeof *timer);
    timer->clock = timer->which = __selvedge_clock_of(clock);
    struct description *file =
        __selvedge_describe(&timer_kind, O_RDWR | (flags & TFD_NONBLOCK ? O_NONBLOCK : 0), NULL);
    file->own = timer;
    file->references = 1;
    int number = __selvedge_install(file, 0, flags & TFD_CLOEXEC ? FD_CLOEXEC : 0);
    leave_world();
    return number;
}

static struct description *timer_of(int number, int *error)
{
    struct description *file = description_of(number);
    *error = !file ? -EBADF : file->kind != &timer_kind ? -EINVAL : 0;
    return *error ? NULL : file;
}

static void split(uint64_t from, uint64_t to, struct timespec *time)
{
    if (__selvedge_clock_counts()) {
        time->tv_sec = (time_t)((to - from) / BILLION);
        time->tv_nsec = (long)((to - from) % BILLION);
        return;
    }
    long rest = (long)__selvedge_clock_nanoseconds(to) - (long)__selvedge_clock_nanoseconds(from);
    int borrows = rest < 0;
    time->tv_sec = (time_t)(__selvedge_clock_seconds(to) - __selvedge_clock_seconds(from) - borrows);
    time->tv_nsec = rest + ((long)BILLION & -(long)borrows);
}

/* What is left until it expires next. */
static void tell_rest(struct description *file, struct itimerspec *to)
{
    struct timer *timer = file->own;
    *to = (struct itimerspec){.it_interval = timer->interval};
    if (!timer->is_set || (timer->has_expired && is_zero(&timer->interval)))
        return;
    if (timer->due == NEVER)
        __selvedge_unsupported("how much is left of a timer that takes decades");
    uint64_t time = now(timer);
    if (!timer->has_expired && time >= timer->due)
        expire(file);
    if (timer->has_expired && is_zero(&timer->interval))
        return;
    if (timer->has_expired)
        go_on(timer, time);
    split(time, timer->due, &to->it_value);
}

static int is_valid(const struct timespec *time)
{
    return (time->tv_sec >= 0) & ((unsigned long)time->tv_nsec < BILLION);
}

static void set(struct timer *timer, int is_absolute, const struct itimerspec *new)
{
    const struct timespec *time = &new->it_value;
    timer->expirations = 0;
    timer->has_expired = 0;
    timer->interval = new->it_interval;
    timer->is_set = !is_zero(time);
    if (!timer->is_set)
        return;
    if ((int64_t)new->it_interval.tv_sec > LONGEST)
        __selvedge_unsupported("timers with an interval of decades");
    timer->is_relative = !is_absolute;
    timer->which = is_absolute ? timer->clock : STEADY;
    if ((int64_t)time->tv_sec > (is_absolute ? LAST_SECOND : LONGEST)) {
        timer->due = NEVER;
        return;
    }
    if (is_absolute) {
        timer->due = __selvedge_clock_instant((uint64_t)time->tv_sec, (uint64_t)time->tv_nsec);
        return;
    }
    timer->due = after(now(timer), time);
    struct moment begin;
    __selvedge_moment(&begin);
    timer->wall = after(begin.wall, time);
}

WEAK int timerfd_settime(int number, int flags, const struct itimerspec *new, struct itimerspec *old)
{
    struct itimerspec wanted = *new, rest;
    if ((flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) || !is_valid(&wanted.it_value) ||
        !is_valid(&wanted.it_interval))
        return (int)outcome(-EINVAL);
    if (flags & TFD_TIMER_CANCEL_ON_SET)
        __selvedge_unsupported("timers that end when the clock is set");
    int error;
    enter_world();
    struct description *file = timer_of(number, &error);
    if (file) {
        struct timer *timer = file->own;
        if (old)
            tell_rest(file, &rest);
        set(timer, flags & TFD_TIMER_ABSTIME, &wanted);
        /* Who waits for it already waits for another time now. */
        __selvedge_changed(&timer->for_reading);
    }
    leave_world();
    if (old && error == 0)
        *old = rest;
    return (int)outcome(error);
}

WEAK int timerfd_gettime(int number, struct itimerspec *to)
{
    struct itimerspec rest;
    int error;
    enter_world();
    struct description *file = timer_of(number, &error);
    if (file)
        tell_rest(file, &rest);
    leave_world();
    if (error == 0)
        *to = rest;
    return (int)outcome(error);
}
