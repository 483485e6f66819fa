// std::this_thread::sleep_for sleeps on after a handler: it comes back when all of its time is over.
//@ verdict: safe
//@ flags: --clock fixed
#include <cassert>
#include <chrono>
#include <csignal>
#include <thread>

static void on_usr1(int) {}

int main()
{
    std::signal(SIGUSR1, on_usr1);
    auto before = std::chrono::steady_clock::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    assert(std::chrono::steady_clock::now() - before >= std::chrono::milliseconds(500));
}
