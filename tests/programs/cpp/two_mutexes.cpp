// Transfers between accounts lock two mutexes: one inside the other they deadlock, with std::scoped_lock and std::lock
// they do not, and without any the sum is wrong. Where two threads give std::scoped_lock its mutexes in different orders,
// each may make the other try again, any number of times.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev none: --reduce none
//@ rev race: --check default,race
//@ rev opposite: --unwind 3
//@ clang[opposite]: -DOPPOSITE
//@ verdict[opposite]: safe(bounded)
//@ rev nested:
//@ clang[nested]: -DNESTED
//@ verdict[nested]: unsafe(deadlock)
//@ rev nested_dpor: --reduce dpor
//@ clang[nested_dpor]: -DNESTED
//@ verdict[nested_dpor]: unsafe(deadlock)
//@ rev nested_none: --reduce none
//@ clang[nested_none]: -DNESTED
//@ verdict[nested_none]: unsafe(deadlock)
//@ rev unlocked:
//@ clang[unlocked]: -DUNLOCKED
//@ verdict[unlocked]: unsafe(assert)
//@ rev unlocked_dpor: --reduce dpor
//@ clang[unlocked_dpor]: -DUNLOCKED
//@ verdict[unlocked_dpor]: unsafe(assert)
//@ rev unlocked_race: --check race
//@ clang[unlocked_race]: -DUNLOCKED
//@ verdict[unlocked_race]: unsafe(race)
#include <algorithm>
#include <cassert>
#include <mutex>
#include <thread>

struct Account {
    std::mutex mutex;
    int balance = 10;
};

static void transfer(Account &from, Account &to, int amount)
{
#if defined(NESTED)
    std::lock_guard<std::mutex> first(from.mutex);
    std::lock_guard<std::mutex> second(to.mutex);
#elif defined(OPPOSITE)
    std::scoped_lock both(from.mutex, to.mutex);
#elif !defined(UNLOCKED)
    std::scoped_lock both(*std::min(&from.mutex, &to.mutex), *std::max(&from.mutex, &to.mutex));
#endif
    from.balance -= amount;
    to.balance += amount;
}

int main()
{
    Account a, b;
    std::thread there(transfer, std::ref(a), std::ref(b), 3);
    transfer(b, a, 5);
    there.join();
    std::lock(a.mutex, b.mutex);
    std::lock_guard<std::mutex> first(a.mutex, std::adopt_lock), second(b.mutex, std::adopt_lock);
    assert(a.balance == 12 && b.balance == 8);
    return 0;
}
