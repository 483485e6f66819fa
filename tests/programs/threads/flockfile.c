// Calls on a stream would have to wait for its lock: not modelled, so with threads the verdict is unknown.
//@ verdict: unknown
#include <pthread.h>
#include <stdio.h>

static void *prints(void *unused)
{
    printf("waits\n");
    return unused;
}

int main(void)
{
    pthread_t thread;
    flockfile(stdout);
    pthread_create(&thread, 0, prints, 0);
    pthread_join(thread, 0);
    return 0;
}
