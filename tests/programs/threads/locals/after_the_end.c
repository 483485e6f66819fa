// A thread's copy of a variable does not outlive the thread.
//@ verdict: unsafe(memory)
#include "../team.h"

static __thread int mine = 3;

static void *worker(void *unused)
{
    (void)unused;
    return &mine;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, &result);
    return *(int *)result; //~ BUG!
}
