// A signal may wake any of those who wait, not only the one who came first.
//@ verdict: unsafe(assert)
#include "../team.h"
#include <assert.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int n_waiting, first_waiting, first_woken;

static void *wait_once(void *argument)
{
    pthread_mutex_lock(&mutex);
    if (n_waiting++ == 0)
        first_waiting = number(argument) + 1;
    pthread_cond_wait(&condition, &mutex);
    if (first_woken == 0)
        first_woken = number(argument) + 1;
    pthread_mutex_unlock(&mutex);
    return 0;
}

int main(void)
{
    pthread_t team[2];
    start_team(team, 2, wait_once);
    for (int all = 0; !all;) {
        pthread_mutex_lock(&mutex);
        all = n_waiting == 2;
        if (all)
            pthread_cond_signal(&condition);
        pthread_mutex_unlock(&mutex);
    }
    for (int woken = 0; !woken;) {
        pthread_mutex_lock(&mutex);
        woken = first_woken;
        pthread_mutex_unlock(&mutex);
    }
    assert(first_woken == first_waiting); //~ BUG!
    pthread_cond_signal(&condition);
    join_team(team, 2);
    return 0;
}
