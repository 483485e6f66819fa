// Two threads read what a third one writes.
// Verdict: safe; unsafe with -DUNSAFE, where nobody may see the old value.
// Algorithm: the usual example for independence (reads commute). Row readreadwrite: three threads.
// Exercises: reads that commute with each other and not with the write.
#include "threads.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

static int x;

static void *read_x(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        int seen = x;
#ifdef UNSAFE
        assert(seen > 0);
#else
        assert(seen >= 0);
#endif
    }
    return unused;
}

static void *write_x(void *unused)
{
    for (int i = 0; i < ROUNDS; i++)
        x = i + 1;
    return unused;
}

int main(void)
{
    pthread_t team[3];
    start(team, 2, 0, read_x);
    start(&team[2], 1, 0, write_x);
    join(team, 3);
    return 0;
}
