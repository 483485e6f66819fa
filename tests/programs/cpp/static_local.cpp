// A static local is initialised once, by the first thread that comes there; others wait. After an exception the next one
// tries again. One that needs itself never ends.
//@ verdict: safe
//@ rev ag:
//@ rev dpor: --reduce dpor
//@ rev none: --reduce none
//@ rev race: --check default,race
//@ rev throws:
//@ clang[throws]: -DTHROWS
//@ rev throws_none: --reduce none
//@ clang[throws_none]: -DTHROWS
//@ rev cycle:
//@ clang[cycle]: -DCYCLE
//@ verdict[cycle]: unsafe(deadlock)
//@ rev cycle_none: --reduce none
//@ clang[cycle_none]: -DCYCLE
//@ verdict[cycle_none]: unsafe(deadlock)
//@ rev own:
//@ clang[own]: -DOWN
//@ verdict[own]: unsafe(deadlock)
#include <cassert>
#include <pthread.h>

static int n_tries, n_made;

static int &other();

struct Table {
    int value;
    Table()
    {
#ifdef THROWS
        if (n_tries++ == 0)
            throw 1;
#endif
#ifdef CYCLE
        other();
#endif
        n_made++;
        value = 6;
    }
};

#ifdef OWN
static int again(int n);
static int make(int n) { return n > 0 ? again(n - 1) + 1 : 0; }
static int again(int n)
{
    static int made = make(n);
    return made;
}
#endif

static Table &table()
{
    static Table made;
    return made;
}

static int &other()
{
    static int value = table().value;
    return value;
}

static void *use(void *is_other)
{
    try {
#ifdef CYCLE
        if (is_other)
            return &other();
#endif
        assert(table().value == 6);
    } catch (int) {
        assert(n_tries >= 1);
    }
    return nullptr;
}

int main()
{
#ifdef OWN
    return again(1);
#endif
    pthread_t threads[2];
    pthread_create(&threads[0], nullptr, use, nullptr);
    pthread_create(&threads[1], nullptr, use, threads);
    for (pthread_t thread : threads)
        pthread_join(thread, nullptr);
    assert(n_made == 1);
    return 0;
}
