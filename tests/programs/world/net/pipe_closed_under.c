// Closing a descriptor does not end a read that is under way: as on Linux, it waits on.
//@ verdict: unsafe(deadlock)
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg)
{
    char c;
    (void)arg;
    read(ends[0], &c, 1); //~ BUG! deadlock
    return 0;
}

int main(void)
{
    pipe(ends);
    pthread_t t;
    pthread_create(&t, 0, reader, 0);
    close(ends[0]);
    pthread_join(t, 0);
    return 0;
}
