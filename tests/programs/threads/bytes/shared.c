// A thread writes over a lock that another one holds or waits for: whoever comes second is let in beside the first.
//@ verdict: unsafe(assert)
//@ flags: --check assert
//@ rev renewed:
//@ clang[renewed]: -DRENEW
//@ rev kept:
//@ verdict[kept]: safe
//@ rev plain: --reduce none
//@ clang[plain]: -DRENEW
#include "../team.h"
#include <assert.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int n_inside;

static void *use(void *number)
{
#ifdef RENEW
    if (number)
        lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
#endif
    pthread_mutex_lock(&lock);
    n_inside++;
    assert(n_inside == 1); //~ BUG!
    n_inside--;
    pthread_mutex_unlock(&lock);
    return number;
}

int main(void)
{
    run_team(2, use);
    return 0;
}
