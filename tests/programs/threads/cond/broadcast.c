// A broadcast wakes all who wait, a signal only one of them.
//@ verdict: safe
//@ rev broadcast:
//@ rev signal:
//@ clang[signal]: -DONE
//@ verdict[signal]: unsafe(deadlock)
#include "../team.h"
#include <assert.h>

#define WAITERS 3

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_open, n_passed;

static void *pass(void *unused)
{
    pthread_mutex_lock(&mutex);
    while (!is_open)
        pthread_cond_wait(&condition, &mutex);
    n_passed++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t team[WAITERS];
    start_team(team, WAITERS, pass);
    pthread_mutex_lock(&mutex);
    is_open = 1;
#ifdef ONE
    pthread_cond_signal(&condition);
#else
    pthread_cond_broadcast(&condition);
#endif
    pthread_mutex_unlock(&mutex);
    join_team(team, WAITERS);
    assert(n_passed == WAITERS);
    pthread_cond_destroy(&condition);
    return 0;
}
