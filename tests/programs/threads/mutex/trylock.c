// A try succeeds exactly when nobody holds the mutex: one of two threads may be sent away, never both.
//@ verdict: safe
//@ flags: --reduce dpor
//@ executions: total=4 full=4 blocked=0
#include "../team.h"
#include <assert.h>
#include <errno.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int n_inside[2];

static void *try_it(void *argument)
{
    int result = pthread_mutex_trylock(&mutex);
    if (result == 0) {
        n_inside[number(argument)] = 1;
        pthread_mutex_unlock(&mutex);
    } else {
        assert(result == EBUSY);
    }
    return 0;
}

int main(void)
{
    run_team(2, try_it);
    assert(n_inside[0] + n_inside[1] >= 1);
    return 0;
}
