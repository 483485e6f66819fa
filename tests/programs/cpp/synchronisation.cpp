// What C++20 has for threads, most of it in headers: each kind makes one thread see what the other has written before.
//@ verdict: safe
//@ clang: -std=c++20
//@ rev shared:
//@ clang[shared]: -DKIND=1
//@ rev semaphore: --check default,race
//@ clang[semaphore]: -DKIND=2
//@ rev latch: --check default,race
//@ clang[latch]: -DKIND=3
//@ rev barrier:
//@ clang[barrier]: -DKIND=4
//@ rev stop: --check default,race
//@ clang[stop]: -DKIND=5
//@ rev wait: --check default,race
//@ clang[wait]: -DKIND=6
//@ rev wait_none: --reduce none
//@ clang[wait_none]: -DKIND=6
//@ rev nothing: --check race
//@ clang[nothing]: -DKIND=7
//@ verdict[nothing]: unsafe(race)
#ifndef KIND
#define KIND 4
#endif
#include <atomic>
#include <barrier>
#include <cassert>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <thread>

static int value;
static std::shared_mutex mutex;
static std::binary_semaphore semaphore(0);
static std::latch latch(2);
static std::atomic<int> word;

int main()
{
#if KIND == 1
    std::thread thread([] {
        std::unique_lock lock(mutex);
        value = 1;
    });
    {
        std::shared_lock lock(mutex);
        assert(value == 0 || value == 1);
    }
    thread.join();
#elif KIND == 2
    std::jthread thread([] {
        value = 1;
        semaphore.release();
    });
    semaphore.acquire();
#elif KIND == 3
    std::jthread thread([] {
        value = 1;
        latch.count_down();
    });
    latch.arrive_and_wait();
#elif KIND == 4
    std::barrier barrier(2);
    std::thread thread([&] {
        value = 1;
        barrier.arrive_and_wait();
    });
    barrier.arrive_and_wait();
    thread.join();
#elif KIND == 5
    {
        std::jthread thread([](std::stop_token stop) {
            while (!stop.stop_requested())
                std::this_thread::yield();
            value = 1;
        });
    }
#elif KIND == 6
    std::jthread thread([] {
        value = 1;
        word = 1;
        word.notify_one();
    });
    word.wait(0);
#else
    std::jthread thread([] { value = 1; });
#endif
    assert(value == 1);
    return 0;
}
