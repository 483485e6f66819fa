// One thread waits for a flag in a loop; the other sets it. Without the wait, it reads too early.
//@ verdict: safe
//@ rev waits:
//@ rev hurries:
//@ clang[hurries]: -DHURRY
//@ verdict[hurries]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

static atomic_int is_ready, data;

static void *produce(void *unused)
{
    data = 42;
    is_ready = 1;
    return unused;
}

static void *consume(void *unused)
{
#ifndef HURRY
    while (!is_ready) {
    }
#endif
    assert(data == 42); //~ BUG!
    return unused;
}

int main(void)
{
    run_pair(consume, produce);
    return 0;
}
