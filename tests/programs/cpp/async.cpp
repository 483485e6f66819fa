// Tasks of std::async: what they return arrives, and waiting for one joins its thread.
//@ verdict: safe
//@ rev right:
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <cassert>
#include <future>
#include <mutex>

static std::mutex lock;
static int count;

static int next()
{
    std::lock_guard<std::mutex> guard(lock);
    return ++count;
}

int main()
{
    auto first = std::async(std::launch::async, next);
    auto second = std::async(std::launch::async, next);
    int a = first.get(), b = second.get();
    assert(a + b == 3);
#ifdef WRONG
    assert(a < b); //~ BUG!
#endif
    return 0;
}
