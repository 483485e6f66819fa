// Only the thread that counts itself in as the first one works on the shared number.
// Verdict: safe; unsafe with -DUNSAFE, which counts in two steps.
// Algorithm: unverif of SV-COMP's pthread categories, from the tests of Threader. Row unveriftrue: ROUNDS = 2; three rounds are more than the paper's program for DPOR.
// Exercises: ownership by a counter, a loop in one thread while the others only count.
#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif
#ifndef WORK
#define WORK 2
#endif

static unsigned n_arrived, shared;

static void __VERIFIER_atomic_arrive(void)
{
    __VERIFIER_assume(n_arrived != -1u);
    n_arrived++;
}

static void *work(void *unused)
{
    for (int round = 0; round < ROUNDS; round++) {
#ifdef UNSAFE
        int is_first = n_arrived == 0;
        __VERIFIER_atomic_arrive();
#else
        __VERIFIER_atomic_arrive();
        int is_first = n_arrived == 1;
#endif
        unsigned own = 0;
        while (is_first && own < WORK) {
            shared++;
            own++;
            assert(shared == own);
        }
    }
    return unused;
}

int main(void)
{
    pthread_t team[THREADS];
    start(team, THREADS, 0, work);
    join(team, THREADS);
    return 0;
}
