// The handle of the first thread is a global: storing it must not start the thread twice.
//@ verdict: safe
#include "../inputs.h"
#include <assert.h>
#include <pthread.h>

static pthread_t thread;
static int n;

static void *count(void *arg)
{
    n++;
    return arg;
}

int main(void)
{
    pthread_create(&thread, NULL, count, NULL);
    pthread_join(thread, NULL);
    assert(n == 1);
    return 0;
}
