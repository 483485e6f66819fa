// There is no mutex at the null pointer.
//@ verdict: unsafe(memory)
#include <pthread.h>
#include <stddef.h>

int main(void)
{
    pthread_mutex_t *mutex = NULL;
    pthread_mutex_lock(mutex); //~ BUG!
    return 0;
}
