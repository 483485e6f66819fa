// A relaxed store after the release store of its own thread belongs to the same release sequence in C11 and C17, so who
// reads it has all that was written before; the store of another thread ends the sequence.
//@ verdict: safe
//@ flags: --check default,race
//@ rev own: --reduce dpor
//@ rev other: --reduce dpor
//@ clang[other]: -DOTHER
//@ verdict[other]: unsafe(race)
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *writes(void *arg)
{
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
#ifndef OTHER
    atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
    return arg;
}

static void *stores(void *arg)
{
#ifdef OTHER
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
#endif
    return arg;
}

int main(void)
{
    pthread_t writer, other;
    pthread_create(&writer, NULL, writes, NULL);
    pthread_create(&other, NULL, stores, NULL);
    int result = 0;
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        result = data;
    pthread_join(writer, NULL);
    pthread_join(other, NULL);
    return result;
}
