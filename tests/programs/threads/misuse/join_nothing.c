// A handle that no thread ever had.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

int main(void)
{
    pthread_t thread = 0;
    pthread_join(thread, 0); //~ BUG!
    return 0;
}
