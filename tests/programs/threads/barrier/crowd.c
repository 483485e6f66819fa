// Three threads at a barrier for two: the first may leave its round late, when the two others have met twice more.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_barrier_t barrier;
static sem_t go;

static void *once(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

static void *three_times(void *unused)
{
    pthread_barrier_wait(&barrier);
    sem_post(&go);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_barrier_init(&barrier, 0, 2);
    sem_init(&go, 0, 0);
    pthread_create(&first, 0, once, 0);
    pthread_create(&second, 0, three_times, 0);
    sem_wait(&go);
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    pthread_barrier_destroy(&barrier);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
