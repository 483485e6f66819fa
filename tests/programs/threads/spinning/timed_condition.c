// A loop of waits with a new deadline each time is a wait: the clock and the deadline are all that is new.
//@ rev told:
//@ verdict[told]: safe
//@ rev never:
//@ clang[never]: -DNEVER
//@ verdict[never]: unsafe(livelock)
#include "../team.h"
#include <time.h>

static int stop;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *work(void *unused)
{
    struct timespec until;
    pthread_mutex_lock(&mutex);
    while (!stop) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&condition, &mutex, &until);
    }
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
#ifndef NEVER
    pthread_mutex_lock(&mutex);
    stop = 1;
    pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
#endif
    pthread_join(thread, NULL);
    return 0;
}
