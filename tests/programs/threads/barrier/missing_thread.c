// A barrier for three that only two threads come to.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_barrier_t barrier;

static void *meet(void *unused)
{
    pthread_barrier_wait(&barrier);
    return unused;
}

int main(void)
{
    pthread_barrier_init(&barrier, 0, 3);
    run_team(2, meet);
    return 0;
}
