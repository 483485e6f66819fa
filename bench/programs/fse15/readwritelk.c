// A lock for readers and writers made of two counters that are tested and changed in one step.
// Verdict: safe; unsafe with -DUNSAFE, whose readers do not wait for writers.
// Algorithm: read_write_lock of SV-COMP's pthread-atomic category. Rows readwritelktrue1-2: PAIRS = 1, 2 of a reader and
// a writer each. Exercises: atomic sections that wait for a condition.
#include "threads.h"

#ifndef PAIRS
#define PAIRS 1
#endif

static int n_writers, n_readers, x;

static void __VERIFIER_atomic_lock_to_write(void)
{
    __VERIFIER_assume(n_writers == 0 && n_readers == 0);
    n_writers = 1;
}

static void __VERIFIER_atomic_lock_to_read(void)
{
#ifndef UNSAFE
    __VERIFIER_assume(n_writers == 0);
#endif
    n_readers++;
}

static void __VERIFIER_atomic_unlock_to_read(void)
{
    n_readers--;
}

static void *writer(void *argument)
{
    __VERIFIER_atomic_lock_to_write();
    x = (int)(intptr_t)argument;
    n_writers = 0;
    return 0;
}

static void *reader(void *unused)
{
    __VERIFIER_atomic_lock_to_read();
    int seen = x;
    assert(seen == x);
    __VERIFIER_atomic_unlock_to_read();
    return unused;
}

int main(void)
{
    pthread_t writers[PAIRS], readers[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
        start(&writers[i], 1, 3 + i, writer);
        start(&readers[i], 1, 0, reader);
    }
    join(writers, PAIRS);
    join(readers, PAIRS);
    return 0;
}
