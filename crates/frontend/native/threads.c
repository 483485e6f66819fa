/* Threads get the numbers that the engine gave them, and calls that would block are emulated.
 *
 * A lock is only asked for in its turn, when it is free. A wait on a condition is two steps with others in between, so
 * condition variables are queues of our own. Time does not pass: a timed call times out at once or not at all.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

struct beginning {
    struct sv_thread *thread;
    void *(*function)(void *);
    void *argument;
};

static void *begin(void *pointer)
{
    struct beginning own = *(struct beginning *)pointer;
    free(pointer);
    void *result;
    sv_me = own.thread;
    __atomic_store_n(&own.thread->tid, (int)syscall(SYS_gettid), __ATOMIC_RELAXED);
    pthread_cleanup_push(sv_end_thread, own.thread);
    result = own.function(own.argument);
    pthread_cleanup_pop(1);
    return result;
}

int selvedge_native_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *argument)
{
    struct sv_thread *parent = sv_me;
    if (!parent)
        return pthread_create(thread, attr, function, argument);
    uint32_t position = parent->n_children++;
    size_t number = 1;
    while (number < sv_n_threads && (sv_children[number - 1].parent != parent->number ||
                                     sv_children[number - 1].position != position))
        number++;
    if (number == sv_n_threads)
        sv_diverged("thread %u starts a thread that is not in the record at %s", parent->number,
                    sv_place_of(parent->site));
    struct beginning *own = malloc(sizeof *own);
    if (!own)
        abort();
    *own = (struct beginning){&sv_threads[number], function, argument};
    sv_lock();
    sv_threads[number].is_known = 1;
    sv_unlock();
    int error = pthread_create(thread, attr, begin, own);
    if (error)
        sv_diverged("a thread cannot be started");
    return 0;
}

/* --- condition variables --- */

struct waiter {
    const void *condition;
    struct sv_thread *thread;
};

/* In the order in which they came. */
static struct waiter *waiters;
static size_t n_waiters, room;

static void add_waiter(const void *condition, struct sv_thread *thread)
{
    if (n_waiters == room) {
        room = room ? 2 * room : 16;
        waiters = realloc(waiters, room * sizeof *waiters);
        if (!waiters)
            abort();
    }
    waiters[n_waiters++] = (struct waiter){condition, thread};
}

/* Removes the `which`-th waiter on `condition`; null if there is none. */
static struct sv_thread *remove_waiter(const void *condition, const struct sv_thread *only, size_t which)
{
    for (size_t i = 0; i < n_waiters; i++) {
        struct sv_thread *thread = waiters[i].thread;
        if (waiters[i].condition != condition || (only && only != thread) || which-- > 0)
            continue;
        for (size_t k = i + 1; k < n_waiters; k++)
            waiters[k - 1] = waiters[k];
        n_waiters--;
        return thread;
    }
    return NULL;
}

static int wait_on(pthread_cond_t *condition, pthread_mutex_t *mutex, int is_timed)
{
    struct sv_thread *t = sv_me;
    if (!t)
        return pthread_cond_wait(condition, mutex);
    sv_lock();
    t->was_woken = 0;
    add_waiter(condition, t);
    pthread_mutex_unlock(mutex);
    if (t->is_holding && !t->atomic)
        sv_release(t);
    size_t i = t->next;
    if (i == sv_n_steps || sv_steps[i].point != t->count || !sv_steps[i].midway)
        sv_park(t, SV_ASLEEP);
    sv_take_turn(t, i);
    sv_plan(t);
    int was_woken = t->was_woken;
    if (!was_woken)
        remove_waiter(condition, t, 0);
    int error = pthread_mutex_trylock(mutex);
    if (error == EBUSY)
        sv_diverged("thread %u wakes up and finds its mutex taken", t->number);
    sv_unlock();
    return !was_woken && is_timed ? ETIMEDOUT : 0;
}

static int wake(pthread_cond_t *condition, int all)
{
    if (!sv_me)
        return all ? pthread_cond_broadcast(condition) : pthread_cond_signal(condition);
    sv_lock();
    size_t n = 0;
    for (size_t i = 0; i < n_waiters; i++)
        n += waiters[i].condition == condition;
    sv_unlock();
    size_t which = 0;
    if (!all && n > 1) {
        unsigned char choice;
        sv_take_input(&choice, 1, 1);
        which = choice < n - 1 ? choice : n - 1;
    }
    sv_lock();
    struct sv_thread *woken;
    while ((woken = remove_waiter(condition, NULL, which))) {
        woken->was_woken = 1;
        if (!all)
            break;
    }
    sv_unlock();
    return 0;
}

int selvedge_native_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attr)
{
    return pthread_cond_init(condition, attr);
}

int selvedge_native_pthread_cond_destroy(pthread_cond_t *condition)
{
    (void)condition;
    return 0;
}

int selvedge_native_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait_on(condition, mutex, 0);
}

int selvedge_native_pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until)
{
    (void)until;
    return wait_on(condition, mutex, 1);
}

int selvedge_native_pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                                           const struct timespec *until)
{
    (void)clock, (void)until;
    return wait_on(condition, mutex, 1);
}

int selvedge_native_pthread_cond_signal(pthread_cond_t *condition) { return wake(condition, 0); }
int selvedge_native_pthread_cond_broadcast(pthread_cond_t *condition) { return wake(condition, 1); }

/* --- time does not pass --- */

int selvedge_native_pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *until)
{
    (void)until;
    int error = pthread_mutex_trylock(mutex);
    return error == EBUSY ? ETIMEDOUT : error;
}

int selvedge_native_pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until)
{
    (void)clock;
    return selvedge_native_pthread_mutex_timedlock(mutex, until);
}

int selvedge_native_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
    (void)clock, (void)flags, (void)time, (void)rest;
    return 0;
}

/* --- atomic sections --- */

void __selvedge_atomic_enter(void);
void __selvedge_atomic_leave(void);

#define SECTION(begin, end)                                                                                   \
    __attribute__((weak)) void begin(void) { __selvedge_atomic_enter(); }                                     \
    __attribute__((weak)) void end(void) { __selvedge_atomic_leave(); }
SECTION(__VERIFIER_atomic_begin, __VERIFIER_atomic_end)
SECTION(__CPROVER_atomic_begin, __CPROVER_atomic_end)
SECTION(selvedge_atomic_begin, selvedge_atomic_end)
