// A thread waits for its own end.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

int main(void)
{
    pthread_join(pthread_self(), 0); //~ BUG!
    return 0;
}
