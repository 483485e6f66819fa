// A thread is joined twice.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static void *work(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    pthread_join(thread, 0); //~ BUG!
    return 0;
}
