// A try to lock is possible while others hold the lock: it fails then, and does not wait.
//@ verdict: unsafe(assert)
//@ rev trees: --reduce dpor
//@ rev sets: --reduce dpor --source-sets
//@ rev none: --reduce none
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *reader(void *unused)
{
    (void)unused;
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_unlock(&lock);
    return 0;
}

static void *writer(void *unused)
{
    (void)unused;
    int code = pthread_rwlock_trywrlock(&lock);
    assert(code == 0); //~ BUG!
    pthread_rwlock_unlock(&lock);
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, writer, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
