// The store of a value that was never written is an access like any other.
//@ verdict: unsafe(race)
//@ flags: --check race
#include <pthread.h>

int shared;

static void *writer(void *unused)
{
    int y;
    shared = y;
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, writer, 0);
    shared = 1;
    pthread_join(thread, 0);
    return 0;
}
