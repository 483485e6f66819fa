// The handle of the first thread is written once, also where it lies in shared memory.
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static int count;

static void *work(void *unused)
{
    (void)unused;
    count++;
    return 0;
}

int main(void)
{
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(count == 1);
    return 0;
}
