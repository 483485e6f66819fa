// A data race: two increments without a lock. With one, or with atomics, there is none.
//@ verdict: unsafe(race)
//@ flags: --check default,race
//@ rev plain:
//@ rev locked:
//@ clang[locked]: -DLOCKED
//@ verdict[locked]: safe
//@ rev atomic:
//@ clang[atomic]: -DATOMIC
//@ verdict[atomic]: safe
#include "../team.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#ifdef ATOMIC
static _Atomic
#else
static
#endif
    int counter;

static void *increment(void *unused)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
    counter++; //~ BUG!
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
    return unused;
}

int main(void)
{
    (void)mutex;
    run_pair(increment, increment);
    return 0;
}
