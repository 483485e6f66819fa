// The clocks of C++: sleeping and waiting move them on.
//@ verdict: safe
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using namespace std::chrono;

static std::mutex mutex;
static std::condition_variable condition;
static bool is_ready;

int main()
{
    auto begin = steady_clock::now();
    std::thread other([] {
        std::lock_guard<std::mutex> guard(mutex);
        is_ready = true;
        condition.notify_one();
    });
    bool was_ready;
    {
        std::unique_lock<std::mutex> lock(mutex);
        was_ready = condition.wait_for(lock, milliseconds(100), [] { return is_ready; });
    }
    auto end = steady_clock::now();
    assert(was_ready || end - begin >= milliseconds(100));
    other.join();

    auto day = system_clock::now();
    std::this_thread::sleep_for(milliseconds(50));
    assert(steady_clock::now() - end >= milliseconds(50));
    assert(system_clock::now() - day >= milliseconds(50));
    return 0;
}
