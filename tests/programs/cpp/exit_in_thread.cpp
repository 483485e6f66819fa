// A thread of C++ that ends by `pthread_exit` destroys what it was started with.
//@ verdict: safe
//@ rev ag:
//@ rev none: --reduce none
//@ rev kept:
//@ clang[kept]: -DKEPT
//@ verdict[kept]: unsafe(assert)
//@ clang: -std=c++17
#include <atomic>
#include <cassert>
#include <pthread.h>
#include <thread>

static std::atomic<int> n_destroyed;

struct Counted {
    ~Counted() { n_destroyed++; }
};

int main()
{
    Counted counted;
    {
        std::thread thread([counted] { pthread_exit(nullptr); });
        thread.join();
    }
    // One went into the thread on the way, one lived there.
#ifdef KEPT
    assert(n_destroyed == 1);
#else
    assert(n_destroyed == 2);
#endif
    return 0;
}
