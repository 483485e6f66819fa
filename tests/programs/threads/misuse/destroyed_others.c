// What was destroyed must not be used, whatever it is; with a reduction all orders are looked at that without one are.
//@ verdict: unsafe(deadlock)
//@ flags: --all-bugs
//@ rev semaphore:
//@ clang[semaphore]: -DDESTROY=sem_destroy(&semaphore) -DUSE=sem_post(&semaphore)
//@ rev condition:
//@ clang[condition]: -DDESTROY=pthread_cond_destroy(&condition) -DUSE=pthread_cond_signal(&condition)
//@ rev plain: --reduce none
//@ clang[plain]: -DDESTROY=pthread_cond_destroy(&condition) -DUSE=pthread_cond_signal(&condition)
#include "../team.h"
#include <semaphore.h>

static sem_t semaphore;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *use(void *unused)
{
    USE; //~ BUG!
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&semaphore, 0, 0);
    pthread_create(&thread, 0, use, 0);
    DESTROY;
    pthread_join(thread, 0);
    return 0;
}
