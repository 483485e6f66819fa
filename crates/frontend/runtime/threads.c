/* C11 threads and named semaphores, in terms of the POSIX ones that the engine knows; system calls.
 *
 * The C11 types have the size and layout of the POSIX ones in the C library, so an object of one can be used as
 * an object of the other. */

#define _GNU_SOURCE
#include "clock.h"
#include "runtime.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <threads.h>

long __selvedge_futex(int *word, int operation, unsigned long value, void *timeout);
int __selvedge_sem_init(sem_t *semaphore, unsigned value);
int __selvedge_sem_post(sem_t *semaphore);
int __selvedge_sem_trywait(sem_t *semaphore);
int __selvedge_cond_wait_until(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *until);
int __selvedge_mutex_lock_until(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until);
void selvedge_atomic_begin(void);
void selvedge_atomic_end(void);


/* Threads. The result of a C11 thread is an int. */

struct start {
    thrd_start_t function;
    void *argument;
};

static void *run_c11(void *packed)
{
    struct start start = *(struct start *)packed;
    free(packed);
    return (void *)(intptr_t)start.function(start.argument);
}

WEAK int thrd_create(thrd_t *thread, thrd_start_t function, void *argument)
{
    struct start *start = malloc(sizeof *start);
    if (start == NULL)
        return thrd_nomem;
    start->function = function;
    start->argument = argument;
    return pthread_create((pthread_t *)thread, NULL, run_c11, start) == 0 ? thrd_success : thrd_error;
}

WEAK int thrd_join(thrd_t thread, int *result)
{
    void *value = NULL;
    if (pthread_join((pthread_t)thread, &value) != 0)
        return thrd_error;
    if (result != NULL)
        *result = (int)(intptr_t)value;
    return thrd_success;
}

WEAK int thrd_detach(thrd_t thread)
{
    return pthread_detach((pthread_t)thread) == 0 ? thrd_success : thrd_error;
}

WEAK _Noreturn void thrd_exit(int result) { pthread_exit((void *)(intptr_t)result); }

WEAK thrd_t thrd_current(void) { return (thrd_t)pthread_self(); }

WEAK int thrd_equal(thrd_t a, thrd_t b) { return a == b; }

WEAK void thrd_yield(void) {}

WEAK int thrd_sleep(const struct timespec *wanted, struct timespec *left)
{
    struct timespec time = *wanted, rest;
    if ((time.tv_sec < 0) | !is_valid_time(&time))
        return -2;
    if (!__selvedge_sleep_for(&time, &rest))
        return 0;
    if (left)
        *left = rest;
    return -1;
}

/* Mutexes. */

static int c11_result(int error)
{
    switch (error) {
    case 0: return thrd_success;
    case EBUSY: return thrd_busy;
    case ETIMEDOUT: return thrd_timedout;
    case ENOMEM: return thrd_nomem;
    default: return thrd_error;
    }
}

WEAK int mtx_init(mtx_t *mutex, int type)
{
    /* The type comes first: see attributes.c. */
    union {
        unsigned char type;
        pthread_mutexattr_t all;
    } attributes = {.all = {{0}}};
    attributes.type = type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL;
    return c11_result(pthread_mutex_init((pthread_mutex_t *)mutex, &attributes.all));
}

WEAK void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy((pthread_mutex_t *)mutex); }

WEAK int mtx_lock(mtx_t *mutex) { return c11_result(pthread_mutex_lock((pthread_mutex_t *)mutex)); }

WEAK int mtx_trylock(mtx_t *mutex) { return c11_result(pthread_mutex_trylock((pthread_mutex_t *)mutex)); }

WEAK int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict until)
{
    return c11_result(__selvedge_mutex_lock_until((pthread_mutex_t *)mutex, CLOCK_REALTIME, until));
}

WEAK int mtx_unlock(mtx_t *mutex) { return c11_result(pthread_mutex_unlock((pthread_mutex_t *)mutex)); }

/* Condition variables. */

WEAK int cnd_init(cnd_t *condition) { return c11_result(pthread_cond_init((pthread_cond_t *)condition, NULL)); }

WEAK void cnd_destroy(cnd_t *condition) { pthread_cond_destroy((pthread_cond_t *)condition); }

WEAK int cnd_signal(cnd_t *condition) { return c11_result(pthread_cond_signal((pthread_cond_t *)condition)); }

WEAK int cnd_broadcast(cnd_t *condition)
{
    return c11_result(pthread_cond_broadcast((pthread_cond_t *)condition));
}

WEAK int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
    return c11_result(pthread_cond_wait((pthread_cond_t *)condition, (pthread_mutex_t *)mutex));
}

WEAK int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex, const struct timespec *restrict until)
{
    pthread_mutex_t *held = (pthread_mutex_t *)mutex;
    return c11_result(__selvedge_cond_wait_until((pthread_cond_t *)condition, held, CLOCK_REALTIME, until));
}

/* Once and thread-specific values. */

WEAK void call_once(once_flag *flag, void (*function)(void)) { pthread_once((pthread_once_t *)flag, function); }

WEAK int tss_create(tss_t *key, tss_dtor_t destructor)
{
    return c11_result(pthread_key_create((pthread_key_t *)key, destructor));
}

WEAK void tss_delete(tss_t key) { pthread_key_delete((pthread_key_t)key); }

WEAK void *tss_get(tss_t key) { return pthread_getspecific((pthread_key_t)key); }

WEAK int tss_set(tss_t key, void *value) { return c11_result(pthread_setspecific((pthread_key_t)key, value)); }

/* Semaphores report errors through errno. */

static int sem_result(int error)
{
    if (error == 0)
        return 0;
    errno = error;
    return -1;
}

WEAK int sem_init(sem_t *semaphore, int is_shared, unsigned value)
{
    (void)is_shared;
    return sem_result(__selvedge_sem_init(semaphore, value));
}

WEAK int sem_post(sem_t *semaphore) { return sem_result(__selvedge_sem_post(semaphore)); }

WEAK int sem_trywait(sem_t *semaphore) { return sem_result(__selvedge_sem_trywait(semaphore)); }

/* Named semaphores live in the process: no other process can have made one before. */

struct named {
    struct named *next;
    sem_t semaphore;
    int is_unlinked;
    char name[];
};

static struct named *all_named;

static int is_named(const struct named *semaphore, const char *name)
{
    size_t i = 0;
    while (semaphore->name[i] == name[i] && name[i] != 0)
        i++;
    return !semaphore->is_unlinked && semaphore->name[i] == name[i];
}

static struct named *find_named(const char *name)
{
    for (struct named *n = all_named; n != NULL; n = n->next) {
        if (is_named(n, name))
            return n;
    }
    return NULL;
}

WEAK sem_t *sem_open(const char *name, int flags, ...)
{
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list rest;
        va_start(rest, flags);
        (void)va_arg(rest, unsigned);
        value = va_arg(rest, unsigned);
        va_end(rest);
    }
    selvedge_atomic_begin();
    struct named *found = find_named(name);
    int error = 0;
    if (found != NULL && (flags & O_CREAT) && (flags & O_EXCL)) {
        error = EEXIST;
    } else if (found == NULL && !(flags & O_CREAT)) {
        error = ENOENT;
    } else if (found == NULL && value > SEM_VALUE_MAX) {
        error = EINVAL;
    } else if (found == NULL) {
        size_t size = 1;
        while (name[size - 1] != 0)
            size++;
        found = malloc(sizeof *found + size);
        if (found == NULL) {
            error = ENOMEM;
        } else {
            memcpy(found->name, name, size);
            found->is_unlinked = 0;
            found->next = all_named;
            __selvedge_sem_init(&found->semaphore, value);
            all_named = found;
        }
    }
    selvedge_atomic_end();
    if (error != 0) {
        errno = error;
        return SEM_FAILED;
    }
    return &found->semaphore;
}

WEAK int sem_close(sem_t *semaphore)
{
    (void)semaphore;
    return 0;
}

WEAK int sem_unlink(const char *name)
{
    selvedge_atomic_begin();
    struct named *found = find_named(name);
    if (found != NULL)
        found->is_unlinked = 1;
    selvedge_atomic_end();
    return sem_result(found == NULL ? ENOENT : 0);
}

/* System calls. */

enum { FUTEX_WAIT = 0, FUTEX_WAIT_BITSET = 9, FUTEX_COMMAND = 127, FUTEX_CLOCK_REALTIME = 256 };

/* A wait of the first kind says how long, one of the second until when. */
static long wait_or_wake(int *word, int operation, unsigned long value, const struct timespec *timeout)
{
    struct timespec time = {0, 0};
    struct moment begin;
    if (timeout) {
        time = *timeout;
        if ((time.tv_sec < 0) | !is_valid_time(&time))
            return -EINVAL;
        __selvedge_moment(&begin);
    }
    long result = __selvedge_futex(word, operation, value, (void *)timeout);
    if (timeout && result == -ETIMEDOUT) {
        if ((operation & FUTEX_COMMAND) == FUTEX_WAIT)
            __selvedge_time_passed(&begin, (long)time.tv_sec, time.tv_nsec);
        else
            __selvedge_time_reaches(operation & FUTEX_CLOCK_REALTIME ? WALL : STEADY, (long)time.tv_sec, time.tv_nsec);
    }
    return result;
}

WEAK long syscall(long number, ...)
{
    if (number == SYS_gettid)
        return (long)pthread_self();
    if (number != SYS_futex) {
        __selvedge_unsupported("a system call other than futex and gettid");
        return -1;
    }
    va_list arguments;
    va_start(arguments, number);
    int *word = va_arg(arguments, int *);
    int operation = va_arg(arguments, int);
    unsigned long value = va_arg(arguments, unsigned);
    /* For a wake the fourth argument means nothing. */
    int command = operation & FUTEX_COMMAND;
    void *timeout = command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET ? va_arg(arguments, void *) : NULL;
    va_end(arguments);
    long result = wait_or_wake(word, operation, value, timeout);
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
}
