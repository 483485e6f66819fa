/* Threads get the numbers that the engine gave them, and calls that would block are emulated.
 *
 * A lock is only asked for in its turn, when it is free. A wait on a condition is two steps with others in between, so
 * condition variables are queues of our own. Time does not pass: a timed call times out at once or not at all.
 */
#define _GNU_SOURCE
#include "replay.h"

#include <errno.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

struct beginning {
    struct sv_thread *thread;
    void *(*function)(void *);
    void *argument;
};

static void *begin(void *pointer)
{
    struct beginning own = *(struct beginning *)pointer;
    free(pointer);
    sv_begin_thread(own.thread);
    return own.function(own.argument);
}

int selvedge_native_pthread_create(pthread_t *thread, const pthread_attr_t *attr, void *(*function)(void *), void *argument)
{
    struct sv_thread *parent = sv_me;
    if (!parent)
        return pthread_create(thread, attr, function, argument);
    if (sv_failure(sv_threads_may_fail))
        return EAGAIN;
    uint32_t position = parent->n_children++;
    size_t number = 1;
    while (number < sv_n_threads && (sv_children[number - 1].parent != parent->number ||
                                     sv_children[number - 1].position != position))
        number++;
    if (number == sv_n_threads)
        sv_diverged("thread %u starts a thread that is not in the record at %s", parent->number,
                    sv_point_of(parent->site));
    struct beginning *own = malloc(sizeof *own);
    if (!own)
        abort();
    *own = (struct beginning){&sv_threads[number], function, argument};
    int detached = PTHREAD_CREATE_JOINABLE;
    if (attr)
        pthread_attr_getdetachstate(attr, &detached);
    own->thread->fate = detached == PTHREAD_CREATE_DETACHED ? SV_DETACHED : SV_JOINABLE;
    int error = pthread_create(thread, attr, begin, own);
    if (error)
        sv_diverged("a thread cannot be started");
    sv_threads[number].handle = *thread;
    sv_threads[number].has_handle = 1;
    return 0;
}

/* --- calls of two steps --- */

/* With the lock, the step of the call is over: goes on with the next one. If the record has none,
 * because nobody could notice it, then at once if `round` is not `mine` any more; else never. */
static void go_on(struct sv_thread *t, const unsigned *round, unsigned mine)
{
    if (t->is_holding && !t->atomic)
        sv_release(t);
    size_t i = t->next;
    if (i < sv_n_steps && sv_steps[i].point == t->count && sv_steps[i].midway)
        sv_take_turn(t, i);
    else if (!round || *round == mine)
        sv_park(t, SV_ASLEEP);
    sv_plan(t);
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
    go_on(t, NULL, 0);
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

/* The error that making something ends in, or 0. */
static int error_of_init(void)
{
    unsigned which = sv_failure(sv_threads_may_fail);
    return which == 0 ? 0 : which == 1 ? ENOMEM : EAGAIN;
}

int selvedge_native_pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attr)
{
    int error = error_of_init();
    return error ? error : pthread_mutex_init(mutex, attr);
}

int selvedge_native_pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attr)
{
    int error = error_of_init();
    return error ? error : pthread_rwlock_init(lock, attr);
}

int selvedge_native_pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attr)
{
    int error = error_of_init();
    if (error)
        return error;
    return pthread_cond_init(condition, attr);
}

int selvedge_native_pthread_cond_destroy(pthread_cond_t *condition)
{
    for (size_t i = 0; i < n_waiters; i++) {
        if (waiters[i].condition == condition)
            sv_misuse("a condition variable is destroyed while a thread waits on it");
    }
    return 0;
}

int selvedge_native_pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
    return wait_on(condition, mutex, 0);
}

int __selvedge_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex) { return wait_on(condition, mutex, 1); }

/* As the C library keeps it. */
int __selvedge_cond_clock(pthread_cond_t *condition)
{
    return condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

int selvedge_native_pthread_cond_signal(pthread_cond_t *condition) { return wake(condition, 0); }
int selvedge_native_pthread_cond_broadcast(pthread_cond_t *condition) { return wake(condition, 1); }

/* --- barriers: arriving is one step, leaving another --- */

struct barrier {
    const void *address;
    unsigned needed, n_here, round;
    struct barrier *next;
};

static struct barrier *barriers;

static struct barrier *find_barrier(const void *address)
{
    for (struct barrier *b = barriers; b; b = b->next) {
        if (b->address == address)
            return b;
    }
    return NULL;
}

int selvedge_native_pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attr, unsigned count)
{
    (void)attr;
    if (count == 0)
        return EINVAL;
    int error = error_of_init();
    if (error)
        return error;
    sv_lock();
    struct barrier *b = find_barrier(barrier);
    if (!b) {
        b = calloc(1, sizeof *b);
        if (!b)
            abort();
        b->next = barriers;
        barriers = b;
    }
    *b = (struct barrier){barrier, count, 0, b->round, b->next};
    sv_unlock();
    return 0;
}

int selvedge_native_pthread_barrier_destroy(pthread_barrier_t *barrier)
{
    sv_lock();
    struct barrier *b = find_barrier(barrier);
    if (b)
        b->needed = 0;
    sv_unlock();
    return 0;
}

int selvedge_native_pthread_barrier_wait(pthread_barrier_t *barrier)
{
    struct sv_thread *t = sv_me;
    sv_lock();
    struct barrier *b = find_barrier(barrier);
    if (!b)
        sv_misuse("a barrier is used that was never initialised");
    if (b && b->needed == 0)
        sv_misuse("a barrier is used after it was destroyed");
    if (!t || !b)
        sv_diverged("a barrier is used that was not initialised");
    if (++b->n_here == b->needed) {
        b->n_here = 0;
        b->round++;
        sv_unlock();
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    unsigned mine = b->round;
    go_on(t, &b->round, mine);
    if (b->round == mine)
        sv_diverged("thread %u leaves a barrier that is closed", t->number);
    sv_unlock();
    return 0;
}

/* --- futexes, for runtime/threads.c --- */

long __selvedge_futex(int *word, int operation, unsigned long value, void *timeout)
{
    struct sv_thread *t = sv_me;
    operation &= 127;
    if (!t || (operation != 0 && operation != 1 && operation != 9 && operation != 10))
        sv_diverged("an unknown futex operation");
    if (operation == 1 || operation == 10) {
        sv_lock();
        size_t n = 0, woken = 0, which = 0;
        for (size_t i = 0; i < n_waiters; i++)
            n += waiters[i].condition == word;
        if (n > 1 && value == 1) {
            unsigned char choice;
            sv_take_input(&choice, 1, 1);
            which = choice < n - 1 ? choice : n - 1;
        }
        struct sv_thread *other;
        while (woken < value && (other = remove_waiter(word, NULL, which))) {
            other->was_woken = 1;
            woken++;
        }
        sv_unlock();
        return (long)woken;
    }
    sv_lock();
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != (int)value) {
        sv_unlock();
        return -EAGAIN;
    }
    t->was_woken = 0;
    add_waiter(word, t);
    go_on(t, NULL, 0);
    int was_woken = t->was_woken;
    if (!was_woken)
        remove_waiter(word, t, 0);
    sv_unlock();
    if (!was_woken && !timeout)
        sv_diverged("thread %u wakes up and nobody woke it", t->number);
    return was_woken ? 0 : -ETIMEDOUT;
}

void __selvedge_unsupported(const char *what) { sv_diverged("%s", what); }

/* --- nobody waits for time to pass --- */

static int timed(int error) { return error == EBUSY ? ETIMEDOUT : error; }

int __selvedge_mutex_timedlock(pthread_mutex_t *lock) { return timed(pthread_mutex_trylock(lock)); }
int __selvedge_rwlock_timedrdlock(pthread_rwlock_t *lock) { return timed(pthread_rwlock_tryrdlock(lock)); }
int __selvedge_rwlock_timedwrlock(pthread_rwlock_t *lock) { return timed(pthread_rwlock_trywrlock(lock)); }

/* These give the error. */
int __selvedge_sem_init(sem_t *semaphore, unsigned value) { return sem_init(semaphore, 0, value) == 0 ? 0 : errno; }
int __selvedge_sem_post(sem_t *semaphore) { return sem_post(semaphore) == 0 ? 0 : errno; }
int __selvedge_sem_trywait(sem_t *semaphore) { return sem_trywait(semaphore) == 0 ? 0 : errno; }
int __selvedge_sem_timedwait(sem_t *semaphore)
{
    if (sv_is_cut_short())
        return EINTR;
    return sem_trywait(semaphore) == 0 ? 0 : ETIMEDOUT;
}

/* --- atomic sections --- */

void __selvedge_atomic_enter(void);
void __selvedge_atomic_leave(void);

#define SECTION(begin, end)                                                                                   \
    __attribute__((weak)) void begin(void) { __selvedge_atomic_enter(); }                                     \
    __attribute__((weak)) void end(void) { __selvedge_atomic_leave(); }
SECTION(__VERIFIER_atomic_begin, __VERIFIER_atomic_end)
SECTION(__CPROVER_atomic_begin, __CPROVER_atomic_end)
SECTION(__ESBMC_atomic_begin, __ESBMC_atomic_end)
SECTION(selvedge_atomic_begin, selvedge_atomic_end)
