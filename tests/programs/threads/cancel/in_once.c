// A thread that is cancelled inside the function of a once has not run it: another one does.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int n_started, n_finished;

static void prepare(void)
{
    n_started++;
    pthread_testcancel();
    n_finished++;
}

static void *use(void *unused)
{
    pthread_once(&once, prepare);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, use, 0);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    pthread_once(&once, prepare);
    assert(n_finished == 1 && n_started <= 2);
    return 0;
}
