// One of two waiters is cancelled while one signal is sent: the other must not miss it, or it would wait for ever.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int n_tokens;

static void unlock(void *mutex)
{
    pthread_mutex_unlock(mutex);
}

static void *take(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    while (n_tokens == 0)
        pthread_cond_wait(&condition, &mutex);
    n_tokens--;
    pthread_cleanup_pop(1);
    return unused;
}

int main(void)
{
    pthread_t team[2];
    start_team(team, 2, take);
    pthread_mutex_lock(&mutex);
    n_tokens = 2;
    pthread_cond_signal(&condition);
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    pthread_cancel(team[0]);
    join_team(team, 2);
    assert(n_tokens <= 1);
    return 0;
}
