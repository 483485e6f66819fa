// Readers do not exclude each other, so their order does not matter: a writer comes before or after each of them.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=8 full=8 blocked=0
#include "../team.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static volatile int value;

static void *read_it(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    (void)value;
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *write_it(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    value = 1;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t writer, readers[3];
    pthread_create(&writer, 0, write_it, 0);
    start_team(readers, 3, read_it);
    pthread_join(writer, 0);
    join_team(readers, 3);
    return 0;
}
