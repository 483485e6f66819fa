// Tries, time limits and the value of a semaphore.
//@ verdict: safe
#include "../team.h"
#include <assert.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>

static sem_t semaphore;

static void *take_one(void *unused)
{
    if (sem_trywait(&semaphore) != 0)
        assert(errno == EAGAIN);
    return unused;
}

int main(void)
{
    int value = -1;
    struct timespec until = {.tv_sec = 1};
    assert(sem_init(&semaphore, 0, 2) == 0);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 2);
    assert(sem_wait(&semaphore) == 0);
    run_pair(take_one, take_one);
    assert(sem_getvalue(&semaphore, &value) == 0 && value == 0);
    assert(sem_trywait(&semaphore) == -1 && errno == EAGAIN);
    assert(sem_timedwait(&semaphore, &until) == -1 && errno == ETIMEDOUT);
    assert(sem_post(&semaphore) == 0);
    assert(sem_timedwait(&semaphore, &until) == 0);
    assert(sem_destroy(&semaphore) == 0);
    return 0;
}
