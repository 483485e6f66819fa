// Threads of C++ with arguments, references and results; one that is not joined ends the program, and so does an
// exception that leaves the function of a thread.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev race: --check default,leak,race
//@ rev forgotten:
//@ clang[forgotten]: -DFORGOTTEN
//@ verdict[forgotten]: unsafe(assert)
//@ rev forgotten_none: --reduce none
//@ clang[forgotten_none]: -DFORGOTTEN
//@ verdict[forgotten_none]: unsafe(assert)
//@ rev throws:
//@ clang[throws]: -DTHROWS
//@ verdict[throws]: unsafe(assert)
//@ rev throws_dpor: --reduce dpor
//@ clang[throws_dpor]: -DTHROWS
//@ verdict[throws_dpor]: unsafe(assert)
#include <cassert>
#include <functional>
#include <memory>
#include <system_error>
#include <thread>

struct Task {
    std::unique_ptr<int> start;
    void run(int &result) const { result = *start + 1; }
};

static void add(std::shared_ptr<int> total, int n)
{
    if (n == 3)
        *total += n;
#ifdef THROWS
    throw n;
#endif
}

int main()
{
    int result = 0;
    Task task{std::make_unique<int>(41)};
    std::thread first(&Task::run, &task, std::ref(result));
    auto total = std::make_shared<int>(1);
    std::thread second(add, total, 3);
    assert(first.joinable() && first.get_id() != second.get_id());
    first.join();
    assert(result == 42 && !first.joinable());
    bool is_refused = false;
    try {
        first.join();
    } catch (const std::system_error &e) {
        is_refused = e.code() == std::errc::invalid_argument;
    }
    assert(is_refused);
#ifndef FORGOTTEN
    std::thread moved = std::move(second);
    assert(!second.joinable());
    moved.join();
    assert(*total == 4);
#endif
    return 0;
}
