// Calls fail with the errors that POSIX asks for, and say what was set before.
//@ verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static const struct timespec over = {0, 0}, none = {0, 1000000000};

static void semaphores(void)
{
    sem_t semaphore;
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX + 1u) == -1 && errno == EINVAL);
    assert(sem_init(&semaphore, 0, SEM_VALUE_MAX) == 0);
    assert(sem_post(&semaphore) == -1 && errno == EOVERFLOW);
    assert(sem_init(&semaphore, 0, 0) == 0);
    assert(sem_timedwait(&semaphore, &none) == -1 && errno == EINVAL);
    assert(sem_timedwait(&semaphore, &over) == -1 && errno == ETIMEDOUT);
}

static void mutexes(void)
{
    pthread_mutexattr_t attr;
    pthread_mutex_t mutex;
    pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    pthread_mutexattr_init(&attr);
    assert(pthread_mutexattr_settype(&attr, 77) == EINVAL);
    assert(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK) == 0);
    pthread_mutex_init(&mutex, &attr);
    assert(pthread_mutex_unlock(&mutex) == EPERM);
    assert(pthread_mutex_timedlock(&mutex, &none) == 0);
    assert(pthread_mutex_lock(&mutex) == EDEADLK);
    assert(pthread_mutex_timedlock(&mutex, &none) == EDEADLK);
    assert(pthread_mutex_trylock(&mutex) == EBUSY);
    assert(pthread_mutex_consistent(&mutex) == EINVAL);
    assert(pthread_cond_timedwait(&condition, &mutex, &none) == EINVAL);
    assert(pthread_cond_timedwait(&condition, &mutex, &over) == ETIMEDOUT);
    assert(pthread_mutex_unlock(&mutex) == 0);
}

static void locks(void)
{
    pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
    pthread_barrier_t barrier;
    assert(pthread_rwlock_timedrdlock(&lock, &none) == EINVAL);
    assert(pthread_rwlock_wrlock(&lock) == 0);
    assert(pthread_rwlock_rdlock(&lock) == EDEADLK);
    assert(pthread_rwlock_timedwrlock(&lock, &over) == EDEADLK);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    assert(pthread_barrier_init(&barrier, 0, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, 0, 0x80000000u) == EINVAL);
}

static void attributes(void)
{
    pthread_attr_t attr;
    size_t size;
    int old;
    pthread_key_t key;
    pthread_attr_init(&attr);
    assert(pthread_attr_setdetachstate(&attr, 2) == EINVAL);
    assert(pthread_attr_setscope(&attr, PTHREAD_SCOPE_PROCESS) == ENOTSUP);
    assert(pthread_attr_setstacksize(&attr, 1000) == EINVAL);
    assert(pthread_attr_setstacksize(&attr, 1 << 20) == 0 && pthread_attr_getstacksize(&attr, &size) == 0);
    assert(size == 1 << 20);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_ASYNCHRONOUS);
    assert(pthread_key_create(&key, 0) == 0 && pthread_key_delete(key) == 0);
    assert(pthread_key_delete(key) == EINVAL && pthread_setspecific(key, &key) == EINVAL);
}

int main(void)
{
    semaphores();
    mutexes();
    locks();
    attributes();
    return 0;
}
