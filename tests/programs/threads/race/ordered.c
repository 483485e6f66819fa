// Everything that orders accesses without a lock around them: start and join, a semaphore, a barrier, a condition, once,
// a read-write lock.
//@ verdict: safe
//@ flags: --check default,race
#include "../team.h"
#include <assert.h>
#include <semaphore.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t barrier;
static sem_t semaphore;
static int by_start, by_join, by_semaphore, by_barrier, by_condition, by_once, by_lock, is_ready;

static void prepare(void)
{
    by_once = 1;
}

static void *first(void *unused)
{
    assert(by_start == 1);
    pthread_once(&once, prepare);
    by_join = by_once;
    by_semaphore = 1;
    sem_post(&semaphore);
    pthread_rwlock_wrlock(&lock);
    by_lock++;
    pthread_rwlock_unlock(&lock);
    pthread_mutex_lock(&mutex);
    by_condition = is_ready = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    by_barrier = 1;
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *second(void *unused)
{
    sem_wait(&semaphore);
    assert(by_semaphore == 1);
    pthread_once(&once, prepare);
    assert(by_once == 1);
    pthread_rwlock_rdlock(&lock);
    int seen = by_lock;
    pthread_rwlock_unlock(&lock);
    assert(seen <= 1);
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_wait(&condition, &mutex);
    pthread_mutex_unlock(&mutex);
    assert(by_condition == 1);
    pthread_barrier_wait(&barrier);
    assert(by_barrier == 1);
    return unused;
}

int main(void)
{
    sem_init(&semaphore, 0, 0);
    pthread_barrier_init(&barrier, 0, 2);
    by_start = 1;
    run_pair(first, second);
    assert(by_join == 1);
    return 0;
}
