// Locks in locals are new whenever their function is called, even where another lock of the past lay.
//@ verdict: safe
//@ rev anew:
//@ rev twice:
//@ clang[twice]: -DTWICE
//@ verdict[twice]: unsafe(deadlock)
//@ rev unset:
//@ clang[unset]: -DUNSET
//@ verdict[unset]: unsafe(deadlock)
#include <pthread.h>

static void destroy(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_mutex_destroy(&mutex);
}

static void recurse(void)
{
    pthread_mutex_t mutex;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &kind);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

static void lock_twice(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&mutex);
    pthread_mutex_lock(&mutex);
}

static void lock(int sets)
{
    pthread_mutex_t mutex;
    if (sets)
        pthread_mutex_init(&mutex, 0);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    destroy();
    destroy();
    recurse();
#ifdef TWICE
    lock_twice();
#endif
    lock(1);
#ifdef UNSET
    lock(0);
#endif
    return 0;
}
