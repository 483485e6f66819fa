// A thread that could be cancelled anywhere is harmless as long as nobody asks it to end; another one is asked.
//@ verdict: safe
//@ rev both:
//@ clang[both]: -DBOTH
//@ verdict[both]: unknown
//@ reason[both]: asynchronous cancellation
#include "../team.h"
#include <assert.h>

static int done;

static void *work(void *unused)
{
    int old;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    assert(old == PTHREAD_CANCEL_DEFERRED);
    done = 1;
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
    assert(old == PTHREAD_CANCEL_ASYNCHRONOUS);
    return unused;
}

static void *wait_to_be_cancelled(void *unused)
{
    for (;;)
        pthread_testcancel();
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, wait_to_be_cancelled, 0);
    pthread_cancel(second);
#ifdef BOTH
    pthread_cancel(first);
#endif
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(done);
    return 0;
}
