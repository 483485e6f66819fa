// A ticket lock: take the next number in one step, wait until it is served.
// Verdict: safe; unsafe with -DUNSAFE, which takes the number in two steps.
// Algorithm: ticket lock, in SV-COMP's pthread-ext category. Row tickettrue: ROUNDS = 3.
// Exercises: waiting for a value that only one thread can produce.
#include "threads.h"

#ifndef THREADS
#define THREADS 2
#endif
#ifndef ROUNDS
#define ROUNDS 3
#endif

static unsigned next_ticket, serving, n_inside;

#ifdef UNSAFE
static unsigned take_ticket(void)
#else
static unsigned __VERIFIER_atomic_take_ticket(void)
#define take_ticket __VERIFIER_atomic_take_ticket
#endif
{
    return next_ticket++;
}

static void *work(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        unsigned ticket = take_ticket();
        while (serving != ticket) {
        }
        n_inside++;
        assert(n_inside == 1);
        n_inside--;
        serving++;
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
