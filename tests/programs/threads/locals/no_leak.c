// A thread's copy of a variable goes with the thread; it is nothing that could be freed.
//@ verdict: safe
//@ flags: --check default,leak
#include "../team.h"

static __thread int count;

static void *worker(void *unused)
{
    (void)unused;
    count++;
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    return 0;
}
