// std::promise, std::future, std::async and std::packaged_task: results, exceptions, broken promises.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev race: --check default,leak,race
//@ rev never:
//@ clang[never]: -DNEVER
//@ verdict[never]: unsafe(deadlock)
//@ rev never_dpor: --reduce dpor
//@ clang[never_dpor]: -DNEVER
//@ verdict[never_dpor]: unsafe(deadlock)
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

static int half(int n)
{
    if (n % 2)
        throw std::domain_error("odd");
    return n / 2;
}

int main()
{
    std::promise<int> promise;
    std::future<int> result = promise.get_future();
#ifdef NEVER
    int got = result.get();
    promise.set_value(got);
#else
    std::thread thread([&] { promise.set_value(half(8)); });
    assert(result.get() == 4 && !result.valid());
    thread.join();

    std::future<int> odd = std::async(std::launch::async, half, 3);
    bool is_thrown = false;
    try {
        odd.get();
    } catch (const std::domain_error &e) {
        is_thrown = e.what()[0] == 'o';
    }
    assert(is_thrown);
    assert(std::async(std::launch::deferred, half, 6).get() == 3);

    std::packaged_task<int(int)> task(half);
    std::future<int> of_task = task.get_future();
    task(10);
    assert(of_task.get() == 5);

    std::future<void> orphan = std::promise<void>().get_future();
    try {
        orphan.get();
        assert(!"kept");
    } catch (const std::future_error &e) {
        assert(e.code() == std::future_errc::broken_promise);
    }
#endif
    return 0;
}
