// A thread waits on a condition without holding the mutex it names.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

int main(void)
{
    pthread_cond_wait(&condition, &mutex); //~ BUG!
    return 0;
}
