// Two threads wait for each other's end.
//@ verdict: unsafe(deadlock)
#include "../team.h"

static pthread_t main_thread;

static void *join_main(void *unused)
{
    pthread_join(main_thread, 0);
    return unused;
}

int main(void)
{
    main_thread = pthread_self();
    run_team(1, join_main);
    return 0;
}
