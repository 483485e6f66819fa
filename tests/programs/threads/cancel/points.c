// A thread is cancelled where it tests for it, sleeps, reads, writes, or waits; joining says so.
//@ verdict: safe
//@ flags: --sym-stdin 0
#include "../team.h"
#include <assert.h>
#include <semaphore.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;

static void *test_for_it(void *unused)
{
    for (;;)
        pthread_testcancel();
    return unused;
}

static void *sleep_on(void *unused)
{
    for (;;)
        usleep(1000);
    return unused;
}

static void *write_on(void *unused)
{
    for (;;)
        write(1, "", 0);
    return unused;
}

static void *read_on(void *unused)
{
    char byte;
    for (;;)
        read(0, &byte, 1);
    return unused;
}

static void *wait_on_semaphore(void *unused)
{
    sem_wait(&semaphore);
    return unused;
}

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *wait_on_condition(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    for (;;)
        pthread_cond_wait(&condition, &mutex);
    pthread_cleanup_pop(1);
    return unused;
}

static void *join_another(void *unused)
{
    pthread_t other;
    pthread_create(&other, 0, wait_on_semaphore, 0);
    pthread_detach(other);
    sem_wait(&semaphore);
    return unused;
}

int main(void)
{
    body *all[] = {test_for_it, sleep_on, write_on, read_on, wait_on_semaphore, wait_on_condition, join_another};
    sem_init(&semaphore, 0, 0);
    for (int i = 0; i < 7; i++) {
        pthread_t thread;
        void *result;
        pthread_create(&thread, 0, all[i], 0);
        assert(pthread_cancel(thread) == 0);
        assert(pthread_join(thread, &result) == 0);
        assert(result == PTHREAD_CANCELED);
    }
    return 0;
}
