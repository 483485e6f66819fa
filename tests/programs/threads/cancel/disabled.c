// A request waits until the thread allows it, and never interrupts a computation.
//@ verdict: safe
#include "../team.h"
#include <assert.h>

static int left, right;

static void *work(void *unused)
{
    int old = -1;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old) == 0 && old == PTHREAD_CANCEL_ENABLE);
    assert(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0 && old == PTHREAD_CANCEL_DEFERRED);
    left++;
    pthread_testcancel();
    right++;
    assert(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old) == 0 && old == PTHREAD_CANCEL_DISABLE);
    pthread_testcancel();
    left++;
    right++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(left == right);
    assert(left == (result == PTHREAD_CANCELED ? 1 : 2));
    return 0;
}
