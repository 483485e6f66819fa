// Variables that each thread has are initialised at their first use and destroyed, the last one first, when the thread
// ends; those of `main` before static ones.
//@ verdict: safe
//@ rev ag:
//@ rev none: --reduce none
//@ rev race: --check default,leak,race
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> n_alive;

struct Counter {
    int n = 0;
    Counter *other = nullptr;
    Counter() { n_alive++; }
    ~Counter()
    {
        assert(n == 1 && (!other || other->n == 1));
        n_alive--;
    }
};

static struct Last {
    ~Last() { assert(n_alive == 0); }
} at_end;

static thread_local Counter first;

static void work()
{
    first.n++;
    static thread_local Counter second;
    second.other = &first;
    second.n++;
}

int main()
{
    work();
    std::thread thread(work);
    thread.join();
#ifdef WRONG
    assert(n_alive == 4);
#else
    assert(n_alive == 2);
#endif
    return 0;
}
