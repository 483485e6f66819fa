// Loops around timed waits of C++, by either clock.
//@ rev for:
//@ clang[for]: -DWAIT=wait_for(lock,std::chrono::milliseconds(100),[]{return(stop);})
//@ rev until:
//@ clang[until]: -DWAIT=wait_until(lock,std::chrono::system_clock::now()+std::chrono::milliseconds(100),[]{return(stop);})
//@ verdict: safe
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool stop;

int main()
{
    std::thread worker([] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!stop)
            condition.WAIT;
    });
    {
        std::lock_guard<std::mutex> guard(mutex);
        stop = true;
    }
    condition.notify_one();
    worker.join();
}
