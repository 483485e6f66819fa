// A queue of one place with a condition variable. Without a loop around the flag, or with the flag set before the lock is
// taken, a wake-up is lost and the consumer waits for ever.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev none: --reduce none
//@ rev race: --check default,race
//@ rev any:
//@ clang[any]: -DANY
//@ rev lost:
//@ clang[lost]: -DLOST
//@ verdict[lost]: unsafe(deadlock)
//@ rev lost_dpor: --reduce dpor
//@ clang[lost_dpor]: -DLOST
//@ verdict[lost_dpor]: unsafe(deadlock)
//@ rev lost_none: --reduce none
//@ clang[lost_none]: -DLOST
//@ verdict[lost_none]: unsafe(deadlock)
//@ rev unlocked:
//@ clang[unlocked]: -DUNLOCKED
//@ verdict[unlocked]: unsafe(deadlock)
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
#ifdef ANY
static std::condition_variable_any is_there;
#else
static std::condition_variable is_there;
#endif
static std::atomic<bool> is_full;
static int item;

static void produce()
{
    item = 7;
#ifdef UNLOCKED
    is_full = true;
#else
    {
        std::lock_guard<std::mutex> lock(mutex);
        is_full = true;
    }
#endif
    is_there.notify_one();
}

static void consume()
{
    std::unique_lock<std::mutex> lock(mutex);
#ifdef LOST
    is_there.wait(lock);
#else
    is_there.wait(lock, [] { return is_full.load(); });
#endif
    assert(lock.owns_lock() && item == 7);
}

int main()
{
    std::thread consumer(consume);
    produce();
    consumer.join();
    return 0;
}
