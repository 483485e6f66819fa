// The function of the thread is only declared: nobody knows what it does.
//@ verdict: unknown
//@ reason: `elsewhere`
#include <pthread.h>

void *elsewhere(void *argument);

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, elsewhere, 0);
    pthread_join(thread, 0);
    return 0;
}
