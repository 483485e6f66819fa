// A mutex is destroyed while the other thread may hold it.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_mutex_t mutex;

static void *use(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_init(&mutex, 0);
    pthread_create(&thread, 0, use, 0);
    pthread_mutex_destroy(&mutex);
    pthread_join(thread, 0);
    return 0;
}
