// std::call_once runs one of the functions, and all threads see what it did.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev none: --reduce none
//@ rev race: --check default,race
//@ rev plain:
//@ clang[plain]: -DPLAIN
//@ verdict[plain]: unsafe(assert)
#include <cassert>
#include <mutex>
#include <thread>

static std::once_flag flag;
static int n_calls, value;

static void set(int to)
{
    n_calls++;
    value = to;
}

static void work(int mine)
{
#ifdef PLAIN
    if (n_calls == 0)
        set(mine);
#else
    std::call_once(flag, set, mine);
#endif
    assert(n_calls == 1 && (value == 1 || value == 2));
}

int main()
{
    std::thread thread(work, 1);
    work(2);
    thread.join();
    assert(n_calls == 1);
    return 0;
}
