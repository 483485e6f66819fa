// Waits that may time out: all outcomes are explored, and after one the clock says that it is late.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev race: --check default,race
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
//@ rev wrong_dpor: --reduce dpor
//@ clang[wrong_dpor]: -DWRONG
//@ verdict[wrong_dpor]: unsafe(assert)
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

using namespace std::chrono_literals;

static std::mutex mutex;
static std::condition_variable changed;
static std::shared_timed_mutex shared;
static bool is_ready;

static void set()
{
    std::lock_guard<std::mutex> lock(mutex);
    is_ready = true;
    changed.notify_all();
}

int main()
{
    auto start = std::chrono::steady_clock::now();
    std::thread thread(set);
    {
        std::unique_lock<std::mutex> lock(mutex);
        bool was_ready = changed.wait_for(lock, 10ms, [] { return is_ready; });
        assert(was_ready == is_ready);
        assert(was_ready || std::chrono::steady_clock::now() - start >= 10ms);
#ifdef WRONG
        assert(was_ready);
#endif
    }
    std::this_thread::sleep_for(5ms);
    thread.join();
    if (shared.try_lock_shared_for(1ms))
        shared.unlock_shared();
    return 0;
}
