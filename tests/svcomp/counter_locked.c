// Two threads count under a lock: no error, no race.
#include <pthread.h>
extern void abort(void);
void reach_error(void) { abort(); }

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int counter;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    if (counter != 2)
        reach_error();
    return 0;
}
