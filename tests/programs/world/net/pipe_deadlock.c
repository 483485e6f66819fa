// Each of two threads waits for what the other would write only after it has read.
//@ verdict: unsafe(deadlock)
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];

static void *other(void *arg)
{
    char c;
    (void)arg;
    read(there[0], &c, 1);
    write(back[1], &c, 1);
    return 0;
}

int main(void)
{
    char c = 'x';
    pipe(there);
    pipe(back);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    read(back[0], &c, 1); //~ BUG! deadlock
    write(there[1], &c, 1);
    pthread_join(t, 0);
    return 0;
}
