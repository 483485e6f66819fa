// In C++20 a relaxed store ends the release sequence of its own thread's release store.
//@ verdict: unsafe(race)
//@ flags: --check default,race
#include <atomic>
#include <thread>

static int data;
static std::atomic<int> flag;

int main()
{
    std::thread writer([] {
        data = 1;
        flag.store(1, std::memory_order_release);
        flag.store(2, std::memory_order_relaxed);
    });
    int result = 0;
    if (flag.load(std::memory_order_acquire) == 2)
        result = data;
    writer.join();
    return result;
}
