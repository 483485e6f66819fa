// The bound on runs counts executions that differ in the schedule only.
//@ verdict: unknown
//@ flags: --reduce none --max-runs 3
#include <pthread.h>

static int x, y;

static void *work(void *unused)
{
    (void)unused;
    x++;
    y++;
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x++;
    pthread_join(thread, 0);
    return 0;
}
