// Two threads add each other's number to their own, ROUNDS times; the largest result is a Fibonacci number.
// Verdict: unsafe (the number can be reached); safe with -DSAFE.
// Algorithm: fib_bench of SV-COMP's pthread category. Rows fibbenchfalse1-3: ROUNDS = 2, 3, 4.
// Exercises: data that depends on the whole interleaving; plain reads and writes without locks.
#include "threads.h"

#ifndef ROUNDS
#define ROUNDS 2
#endif

static int i = 1, j = 1;

static void *add_to_i(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        i += j;
    return unused;
}

static void *add_to_j(void *unused)
{
    for (int k = 0; k < ROUNDS; k++)
        j += i;
    return unused;
}

/* What ROUNDS strictly alternating rounds give. */
static int largest(void)
{
    int before = 1, last = 1;
    for (int k = 0; k < 2 * ROUNDS; k++) {
        int next = before + last;
        before = last;
        last = next;
    }
    return last;
}

int main(void)
{
    run_pair(add_to_i, add_to_j);
#ifdef SAFE
    assert(i <= largest() && j <= largest());
#else
    assert(i < largest() && j < largest());
#endif
    return 0;
}
