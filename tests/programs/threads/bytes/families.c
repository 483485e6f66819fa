// What is written over is new, whatever kind of lock it is: a function runs once more, a writer is forgotten, a
// semaphore has no units, and a destroyed condition is good again.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static int runs;

static void run(void) { runs++; }

int main(void)
{
    pthread_once(&once, run);
    pthread_once(&once, run);
    assert(runs == 1);
    once = PTHREAD_ONCE_INIT;
    pthread_once(&once, run);
    assert(runs == 2);

    pthread_rwlock_wrlock(&rwlock);
    memset(&rwlock, 0, sizeof rwlock);
    assert(pthread_rwlock_tryrdlock(&rwlock) == 0);

    sem_init(&semaphore, 0, 5);
    memset(&semaphore, 0, sizeof semaphore);
    assert(sem_trywait(&semaphore) == -1);

    pthread_cond_destroy(&condition);
    condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pthread_cond_signal(&condition);
    return 0;
}
