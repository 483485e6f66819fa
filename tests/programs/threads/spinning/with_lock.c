// Polling under a lock is waiting too, as long as the lock is given back each time.
//@ verdict: safe
//@ rev unlocks:
//@ rev keeps:
//@ clang[keeps]: -DKEEP
//@ verdict[keeps]: unsafe(livelock)
#include "../team.h"
#include <stdatomic.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int is_ready;

static void *poll(void *unused)
{
#ifdef KEEP
    pthread_mutex_lock(&mutex);
    while (!is_ready) {
    }
    pthread_mutex_unlock(&mutex);
#else
    for (int seen = 0; !seen;) {
        pthread_mutex_lock(&mutex);
        seen = is_ready;
        pthread_mutex_unlock(&mutex);
    }
#endif
    return unused;
}

static void *set(void *unused)
{
    pthread_mutex_lock(&mutex);
    is_ready = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    run_pair(poll, set);
    return 0;
}
