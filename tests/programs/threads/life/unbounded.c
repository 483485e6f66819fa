// Threads without end: the engine gives up at its limit, or at the user's.
//@ verdict: unknown
//@ rev limit:
//@ reason[limit]: more than 1000 threads
//@ rev unwind: --unwind 5
//@ verdict[unwind]: safe(bounded)
#include <pthread.h>

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
    }
}
