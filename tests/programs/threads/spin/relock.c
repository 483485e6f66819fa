// A thread that takes its own spinlock again waits for itself.
//@ verdict: unsafe(deadlock)
#include <pthread.h>

static pthread_spinlock_t lock;

int main(void)
{
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_spin_lock(&lock);
    pthread_spin_lock(&lock); //~ BUG!
    return 0;
}
