// Cancellation at any instruction is not modelled.
//@ verdict: unknown
//@ reason: asynchronous cancellation
#include "../team.h"

static volatile int never;

static void *work(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    while (!never) {
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
