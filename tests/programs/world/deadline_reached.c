// A wait that its time has ended leaves the clock at the deadline or later.
//@ verdict: safe
#define _GNU_SOURCE
#include "../threads/team.h"
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *give(void *unused)
{
    sem_post(&semaphore);
    return unused;
}

static int is_over(clockid_t clock, const struct timespec *until)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec);
}

int main(void)
{
    pthread_t thread;
    pthread_cond_t condition;
    pthread_condattr_t attributes;
    struct timespec until;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, NULL, give, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    if (sem_timedwait(&semaphore, &until) != 0)
        assert(errno == ETIMEDOUT && is_over(CLOCK_REALTIME, &until));

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&condition, &attributes);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += 10;
    pthread_mutex_lock(&mutex);
    assert(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT);
    assert(is_over(CLOCK_MONOTONIC, &until));
    until.tv_nsec = -1;
    assert(pthread_cond_timedwait(&condition, &mutex, &until) == EINVAL);
    pthread_join(thread, NULL);
    return 0;
}
