// A barrier of SPLASH-2, which counts with `cmpxchg`: the old value is tied to the output and in a register of its own,
// and the wider memory is an input only.
//@ verdict: safe
//@ rev wrong:
//@ clang[wrong]: -DWRONG
//@ verdict[wrong]: unsafe(assert)
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static struct {
    volatile int sense;
    volatile long count;
} barrier = {1, 0};

static void meet(int threads)
{
    int sense = barrier.sense;
    for (;;) {
        int old = barrier.count, new = old + sense, found;
#ifdef WRONG
        found = old;
        barrier.count = new;
#else
        __asm__("lock cmpxchg %1,%2" : "=a"(found) : "r"(new), "m"(barrier.count), "0a"(old));
#endif
        if (found == old) {
            if ((new == threads && sense == 1) || (new == 0 && sense == -1))
                barrier.sense = -sense;
            break;
        }
    }
#ifndef WRONG
    while (barrier.sense == sense)
        sched_yield();
#endif
}

static int first, second;

static void *work(void *unused)
{
    first = 1;
    meet(2);
    assert(second == 1);
    return unused;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    second = 1;
    meet(2);
    assert(first == 1);
    pthread_join(other, 0);
    return 0;
}
