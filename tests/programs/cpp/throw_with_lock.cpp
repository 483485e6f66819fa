// A thread throws while it holds a mutex. A lock that is an object is given back on the way to the handler, and one that
// is not stays locked, so that the other thread waits for ever.
//@ verdict: safe
//@ rev object:
//@ rev plain:
//@ clang[plain]: -DPLAIN
//@ verdict[plain]: unsafe(deadlock)
#include "../inputs.h"
#include <cassert>
#include <mutex>
#include <pthread.h>
#include <stdexcept>

static std::mutex mutex;
static int n_tickets, n_refused;

static void take(int wanted)
{
#ifdef PLAIN
    mutex.lock();
#else
    std::lock_guard<std::mutex> lock(mutex);
#endif
    if (wanted > 1)
        throw std::invalid_argument("too many");
    n_tickets += wanted;
#ifdef PLAIN
    mutex.unlock();
#endif
}

static void *run(void *wanted)
{
    try {
        take(*static_cast<int *>(wanted));
    } catch (const std::exception &refused) {
        n_refused++;
        assert(refused.what()[0] == 't');
    }
    return nullptr;
}

int main()
{
    int first = __VERIFIER_nondet_int(), second = 1;
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, run, &first);
    pthread_create(&threads[1], nullptr, run, &second);
    pthread_join(threads[0], nullptr);
    pthread_join(threads[1], nullptr);
    assert(n_tickets <= 2 && n_refused <= 1);
    return 0;
}
