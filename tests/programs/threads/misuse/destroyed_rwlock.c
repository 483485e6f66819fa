// A read-write lock that another thread may hold must not be destroyed, and one that was destroyed must not be used.
//@ verdict: unsafe(deadlock)
//@ flags: --all-bugs
//@ rev dpor: --reduce dpor
//@ rev ag:
//@ rev plain: --reduce none
#include "../team.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *use(void *unused)
{
    pthread_rwlock_tryrdlock(&lock); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_rwlock_destroy(&lock); //~ BUG!
    pthread_join(thread, 0);
    return 0;
}
