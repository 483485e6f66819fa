// Two threads read what a third one writes: one checks what it sees, the other one only keeps it.
// Verdict: safe; unsafe with -DUNSAFE, where the one that checks may not see the old value.
// Algorithm: the usual example for independence (reads commute), made for this row: the paper names it without showing it.
// Row readreadwrite: three threads, one read that is checked, two that are kept, two writes.
// Exercises: reads that commute with each other and not with the write, and reads that do not matter.
#include "threads.h"

#ifndef CHECKS
#define CHECKS 1
#endif
#ifndef KEEPS
#define KEEPS 2
#endif
#ifndef WRITES
#define WRITES 2
#endif

static int x, kept[KEEPS];

static void *check_x(void *unused)
{
    for (int i = 0; i < CHECKS; i++) {
        int seen = x;
#ifdef UNSAFE
        assert(0 < seen && seen <= WRITES);
#else
        assert(0 <= seen && seen <= WRITES);
#endif
    }
    return unused;
}

static void *keep_x(void *unused)
{
    for (int i = 0; i < KEEPS; i++)
        kept[i] = x;
    return unused;
}

static void *write_x(void *unused)
{
    for (int i = 0; i < WRITES; i++)
        x = i + 1;
    return unused;
}

int main(void)
{
    pthread_t team[3];
    start(&team[0], 1, 0, check_x);
    start(&team[1], 1, 0, keep_x);
    start(&team[2], 1, 0, write_x);
    join(team, 3);
    return 0;
}
