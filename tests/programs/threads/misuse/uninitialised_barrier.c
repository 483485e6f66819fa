// A barrier that was never told how many threads it is for.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

static pthread_barrier_t barrier;

int main(void)
{
    pthread_barrier_wait(&barrier); //~ BUG!
    return 0;
}
