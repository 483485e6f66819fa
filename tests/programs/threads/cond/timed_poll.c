// A loop of waits with a time limit that the program ignores: timing out again and again leads nowhere new.
//@ verdict: safe
#include "../team.h"
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int is_ready;

static void *waiter(void *unused)
{
    struct timespec until = {.tv_sec = 1};
    pthread_mutex_lock(&mutex);
    while (!is_ready)
        pthread_cond_timedwait(&condition, &mutex, &until);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_pair(waiter, setter);
    return 0;
}
