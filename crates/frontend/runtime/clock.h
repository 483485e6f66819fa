/* The clocks of the run-time: see clock.c. */
#ifndef SELVEDGE_CLOCK_H
#define SELVEDGE_CLOCK_H

#include <stdint.h>
#include <sys/time.h>
#include <time.h>

/* Clocks that pass apart from each other. */
enum { WALL, STEADY, PROCESSOR, TICKS, SYSTEM_TICKS, N_CLOCKS };

/* Provided by the engine. */
uint64_t __selvedge_time(void);       /* any time: an input of the environment */
int __selvedge_interrupts(int restarts); /* see world.h */
int __selvedge_clock_is_read(void);   /* the program has code that reads a clock */
int __selvedge_clock_is_fixed(void);  /* --clock fixed */
int __selvedge_clock_counts(void);    /* instants are nanoseconds, and not pairs */

void __selvedge_assume_time(int holds); /* the path goes on only if it does; it does for some time */
int __selvedge_is_symbolic(uintptr_t n);

/* A reading, as an instant; and its parts. */
uint64_t __selvedge_clock_now(int which);
long __selvedge_clock_seconds(uint64_t instant);
uint32_t __selvedge_clock_nanoseconds(uint64_t instant);

/* Any instant of the wall or steady clock; one from its parts; and one that is so much later. */
uint64_t __selvedge_clock_any(void);
uint64_t __selvedge_clock_instant(uint64_t seconds, uint64_t nanoseconds);
uint64_t __selvedge_clock_sum(uint64_t instant, uint64_t seconds, uint64_t nanoseconds);

/* The earliest time that it can be now, by both clocks that sleeping moves on. */
struct moment {
    uint64_t wall, steady;
};
void __selvedge_moment(struct moment *now);

/* So much time, or more, has passed since then; and this time, or a later one, is reached. */
void __selvedge_time_passed(const struct moment *since, long seconds, long nanoseconds);
void __selvedge_time_reaches(int which, long seconds, long nanoseconds);
void __selvedge_clock_reaches(int which, uint64_t instant);

/* Outside of any step: a sleep of so much, from now on. 0 if it was not cut short by a handler of a signal; else `left` is
 * what is left of it, at least. */
int __selvedge_sleep_for(const struct timespec *wanted, struct timespec *left);
/* As select does: a valid limit becomes what is left of it, nothing if time is over. */
void __selvedge_limit_left(struct timeval *limit, int is_over);

/* Which of them has this number; -1 if none has. */
int __selvedge_clock_of(clockid_t id);

/* What std::chrono makes of its nanoseconds is valid, and a remainder is much to ask a solver about. */
static inline int is_valid_time(const struct timespec *time)
{
    if (__selvedge_clock_counts() && __selvedge_is_symbolic((uintptr_t)time->tv_nsec))
        return 1;
    return (unsigned long)time->tv_nsec < 1000000000;
}

#endif
