/* Threads of C++: what libstdc++ has compiled of std::thread, std::condition_variable, std::call_once and the futexes of
 * std::future, in terms of the POSIX functions that the engine knows. The rest of them is in headers.
 *
 * Also part of the native run-time, where the same functions must not start or block threads behind its back.
 */
#include "clock.h"
#include "runtime.h"
#include "types.h"

#include <pthread.h>
#include <stdlib.h>

#define JOIN(a, b) JOIN_(a, b)
#define JOIN_(a, b) a##b

__attribute__((noreturn)) void _ZSt20__throw_system_errori(int error);

/* --- std::thread --- */

struct thread {
    pthread_t id; /* 0: none */
};

/* What a thread runs, std::thread::_State: made by a template, with these virtual functions. */
struct state {
    const struct {
        void (*destroy)(struct state *);
        void (*destroy_and_free)(struct state *);
        void (*run)(struct state *);
    } *table;
};

static void destroy(struct state **state) { (*state)->table->destroy_and_free(*state); }

/* The state is destroyed also if the thread ends by pthread_exit or is cancelled. */
static void *run(void *argument)
{
    __attribute__((cleanup(destroy))) struct state *state = argument;
    state->table->run(state);
    return NULL;
}

/* The state belongs to the thread from now on. */
WEAK void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    struct thread *thread, struct state **state, void (*depend)(void))
{
    (void)depend;
    int error = pthread_create(&thread->id, NULL, run, *state);
    if (error)
        _ZSt20__throw_system_errori(error);
    *state = NULL;
}

WEAK void _ZNSt6thread4joinEv(struct thread *thread)
{
    int error = thread->id ? pthread_join(thread->id, NULL) : EINVAL;
    if (error)
        _ZSt20__throw_system_errori(error);
    thread->id = 0;
}

WEAK void _ZNSt6thread6detachEv(struct thread *thread)
{
    int error = thread->id ? pthread_detach(thread->id) : EINVAL;
    if (error)
        _ZSt20__throw_system_errori(error);
    thread->id = 0;
}

/* Any number, and 0 where it is not known. */
WEAK unsigned _ZNSt6thread20hardware_concurrencyEv(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0);
    return (unsigned)n;
}

/* --- std::condition_variable: a pthread_cond_t --- */

/* std::unique_lock, of a std::mutex, which is a pthread_mutex_t. */
struct lock {
    pthread_mutex_t *mutex;
    _Bool is_owner;
};

static void start_condition(pthread_cond_t *condition) { pthread_cond_init(condition, NULL); }
static void end_condition(pthread_cond_t *condition) { pthread_cond_destroy(condition); }

WEAK void _ZNSt18condition_variableC1Ev(pthread_cond_t *condition) { start_condition(condition); }
WEAK void _ZNSt18condition_variableC2Ev(pthread_cond_t *condition) { start_condition(condition); }
WEAK void _ZNSt18condition_variableD1Ev(pthread_cond_t *condition) { end_condition(condition); }
WEAK void _ZNSt18condition_variableD2Ev(pthread_cond_t *condition) { end_condition(condition); }
WEAK void _ZNSt18condition_variable10notify_oneEv(pthread_cond_t *condition) { pthread_cond_signal(condition); }
WEAK void _ZNSt18condition_variable10notify_allEv(pthread_cond_t *condition) { pthread_cond_broadcast(condition); }
WEAK void _ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE(pthread_cond_t *condition, struct lock *lock)
{
    pthread_cond_wait(condition, lock->mutex);
}

/* --- the futex of std::future --- */

long __selvedge_futex(int *word, int operation, unsigned long value, void *timeout);
enum { WAIT = 0, WAKE = 1 };

/* False if the time is over, by the clock that it is given for. */
static _Bool wait_on(unsigned *word, unsigned value, int which, const struct timespec *until)
{
    long result = __selvedge_futex((int *)word, WAIT, value, (void *)until);
    if (result != -ETIMEDOUT)
        return 1;
    __selvedge_time_reaches(which, (long)until->tv_sec, until->tv_nsec);
    return 0;
}

/* The names have the types of seconds and nanoseconds. */
#if SIZE_MAX == UINT64_MAX
#define TIME EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE
#else
#define TIME EPjjbNSt6chrono8durationIxSt5ratioILx1ELx1EEEENS2_IxS3_ILx1ELx1000000000EEEE
#endif
#define WAIT_UNTIL(name, which)                                                                                               \
    WEAK _Bool JOIN(_ZNSt28__atomic_futex_unsigned_base##name, TIME)(                                                  \
        void *futex, unsigned *word, unsigned value, _Bool is_timed, int64_t seconds, int64_t nanoseconds)             \
    {                                                                                                                  \
        (void)futex;                                                                                                   \
        struct timespec until = {.tv_sec = (time_t)seconds, .tv_nsec = (long)nanoseconds};                             \
        return wait_on(word, value, which, is_timed ? &until : NULL);                                                  \
    }
WAIT_UNTIL(19_M_futex_wait_until, WALL)
WAIT_UNTIL(26_M_futex_wait_until_steady, STEADY)

WEAK void _ZNSt28__atomic_futex_unsigned_base19_M_futex_notify_allEPj(unsigned *word)
{
    __selvedge_futex((int *)word, WAKE, INT_MAX, NULL);
}
