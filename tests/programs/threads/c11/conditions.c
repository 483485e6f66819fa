// A hand-over with the condition variables of C11. The broken one tests its condition once.
//@ verdict: safe
//@ rev correct: --spurious
//@ rev broken: --spurious
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include <assert.h>
#include <threads.h>

static mtx_t mutex;
static cnd_t filled;
static int value;

static int consume(void *unused)
{
    (void)unused;
    mtx_lock(&mutex);
#ifdef BROKEN
    if (value == 0)
#else
    while (value == 0)
#endif
        cnd_wait(&filled, &mutex);
    int seen = value;
    mtx_unlock(&mutex);
    return seen;
}

int main(void)
{
    thrd_t consumer;
    int seen;
    mtx_init(&mutex, mtx_plain);
    cnd_init(&filled);
    thrd_create(&consumer, consume, 0);
    mtx_lock(&mutex);
    value = 42;
    cnd_signal(&filled);
    mtx_unlock(&mutex);
    thrd_join(consumer, &seen);
    assert(seen == 42); //~ BUG!
    cnd_destroy(&filled);
    return 0;
}
