// A readers-writer lock in one integer: the number of readers, or -1 under a writer.
// In the broken one a reader looks and enters in two steps.
//@ verdict: safe
//@ rev correct:
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef READERS
#define READERS 2
#endif

static atomic_int state;
static int left, right;

static void lock_shared(void)
{
    for (;;) {
        int readers = state;
        if (readers < 0)
            continue;
#ifdef BROKEN
        state = readers + 1;
        return;
#else
        if (atomic_compare_exchange_strong(&state, &readers, readers + 1))
            return;
#endif
    }
}

static void lock_exclusive(void)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&state, &nobody, -1))
        nobody = 0;
}

static void *reader(void *unused)
{
    lock_shared();
    assert(left == right); //~ BUG!
    state--;
    return unused;
}

static void *writer(void *unused)
{
    lock_exclusive();
    left++;
    right++;
    state = 0;
    return unused;
}

int main(void)
{
    pthread_t threads[1 + READERS];
    pthread_create(&threads[0], 0, writer, 0);
    start_team(threads + 1, READERS, reader);
    join_team(threads, 1 + READERS);
    return 0;
}
