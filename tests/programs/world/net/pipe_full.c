// Two threads fill the pipes between them before either reads.
//@ verdict: unsafe(deadlock)
#include <pthread.h>
#include <unistd.h>

static int there[2], back[2];
static char page[4096];

static void *other(void *arg)
{
    char c[2];
    (void)arg;
    write(back[1], page, sizeof page);
    write(back[1], "x", 1);
    read(there[0], c, 2);
    return 0;
}

int main(void)
{
    char c[2];
    pipe(there);
    pipe(back);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    write(there[1], page, sizeof page);
    write(there[1], "x", 1); //~ BUG! deadlock
    read(back[0], c, 2);
    pthread_join(t, 0);
    return 0;
}
