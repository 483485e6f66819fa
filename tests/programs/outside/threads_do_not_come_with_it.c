// Memory from outside is for one thread.
//@ verdict: unknown
//@ reason: memory from outside
#include <pthread.h>
#include <selvedge.h>

static void *work(void *p)
{
    return p;
}

int main(void)
{
    int *p;
    selvedge_outside(&p, sizeof p, "p");
    pthread_t t;
    pthread_create(&t, 0, work, p);
    pthread_join(t, 0);
    return p != 0;
}
