// A mutex is locked after it was destroyed.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

int main(void)
{
    pthread_mutex_t mutex;
    pthread_mutex_init(&mutex, 0);
    pthread_mutex_destroy(&mutex);
    pthread_mutex_lock(&mutex); //~ BUG!
    return 0;
}
