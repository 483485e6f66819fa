// A wait without a loop: POSIX lets it end before the value is there. `wait_loop.c` is this with a loop.
#include <pthread.h>

#ifndef UNTIL_READY
#define UNTIL_READY if
#endif

extern void abort(void);
void reach_error(void) { abort(); }

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int ready;

void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    UNTIL_READY (!ready)
        pthread_cond_wait(&changed, &lock);
    if (!ready)
        reach_error();
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, waiter, 0);
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(t, 0);
    return 0;
}
