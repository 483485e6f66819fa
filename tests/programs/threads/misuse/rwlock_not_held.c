// A read-write lock is unlocked by a thread that does not hold it.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *unlock(void *unused)
{
    pthread_rwlock_unlock(&lock); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_rwlock_rdlock(&lock);
    run_team(1, unlock);
    return 0;
}
