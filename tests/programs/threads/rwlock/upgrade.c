// Two readers who both want to become the writer wait for each other.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *upgrade(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    run_pair(upgrade, upgrade);
    return 0;
}
