// A mutex in memory that nobody initialised.
//@ verdict: unsafe(deadlock)
#include <pthread.h>
#include <stdlib.h>

int main(void)
{
    pthread_mutex_t *mutex = malloc(sizeof *mutex);
    pthread_mutex_lock(mutex); //~ BUG!
    return 0;
}
