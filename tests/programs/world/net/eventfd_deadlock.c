// Two waits for one ring of the bell.
//@ verdict: unsafe(deadlock)
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int bell;

static void *ring(void *arg)
{
    (void)arg;
    eventfd_write(bell, 2);
    return 0;
}

int main(void)
{
    eventfd_t value;
    bell = eventfd(0, 0);
    pthread_t t;
    pthread_create(&t, 0, ring, 0);
    eventfd_read(bell, &value);
    eventfd_read(bell, &value); //~ BUG! deadlock
    pthread_join(t, 0);
    return 0;
}
