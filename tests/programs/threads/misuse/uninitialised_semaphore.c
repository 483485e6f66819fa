// A semaphore without sem_init.
//@ verdict: unsafe(deadlock)
#include <semaphore.h>

static sem_t semaphore;

int main(void)
{
    sem_post(&semaphore); //~ BUG!
    return 0;
}
