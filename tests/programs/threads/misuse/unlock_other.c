// A thread unlocks a mutex that another one holds.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *unlock(void *unused)
{
    pthread_mutex_unlock(&mutex); //~ BUG!
    return unused;
}

int main(void)
{
    pthread_mutex_lock(&mutex);
    run_team(1, unlock);
    return 0;
}
