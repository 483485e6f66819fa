// A thread that ends by `pthread_exit`, or because it is cancelled, leaves its functions: destructors run, `catch (...)`
// is entered and has to throw again.
//@ verdict: safe
//@ rev exit:
//@ rev cancel:
//@ clang[cancel]: -DCANCEL
//@ rev stopped:
//@ clang[stopped]: -DSTOPPED
//@ verdict[stopped]: unsafe(assert)
#include <cassert>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int n_destroyed, n_caught;

struct Lock {
    Lock() { pthread_mutex_lock(&mutex); }
    ~Lock()
    {
        n_destroyed++;
        pthread_mutex_unlock(&mutex);
    }
};

static void leave()
{
    Lock lock;
#ifdef CANCEL
    for (;;)
        pthread_cond_wait(&never, &mutex);
#else
    pthread_exit(&n_destroyed);
#endif
}

static void *run(void *)
{
    try {
        leave();
    } catch (int) {
        assert(!"of this type");
    } catch (...) {
        n_caught++;
#ifndef STOPPED
        throw;
#endif
    }
    assert(!"went on");
    return 0;
}

int main()
{
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
#ifdef CANCEL
    pthread_cancel(thread);
#endif
    void *result;
    pthread_join(thread, &result);
#ifdef CANCEL
    assert(result == PTHREAD_CANCELED);
#else
    assert(result == &n_destroyed);
    assert(n_destroyed == 1 && n_caught == 1);
#endif
    assert(n_destroyed == n_caught);
    Lock again;
    return 0;
}
