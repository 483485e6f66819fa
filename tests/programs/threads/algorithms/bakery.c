// Lamport's bakery: take a number larger than all others and wait for your turn. The broken one does not say that it is
// still choosing, so two threads can take the same number without noticing.
//@ verdict: safe
//@ rev two:
//@ rev three:
//@ clang[three]: -DTHREADS=3
//@ rev broken:
//@ clang[broken]: -DBROKEN
//@ verdict[broken]: unsafe(assert)
#include "../team.h"
#include <assert.h>
#include <stdatomic.h>

#ifndef THREADS
#define THREADS 2
#endif

static atomic_int choosing[THREADS], numbers[THREADS];
static int counter;

static void lock(int me)
{
#ifndef BROKEN
    choosing[me] = 1;
#endif
    int largest = 0;
    for (int i = 0; i < THREADS; i++) {
        int seen = numbers[i];
        if (seen > largest)
            largest = seen;
    }
    numbers[me] = largest + 1;
    choosing[me] = 0;
    for (int other = 0; other < THREADS; other++) {
        while (choosing[other]) {
        }
        for (;;) {
            int theirs = numbers[other];
            if (theirs == 0 || theirs > largest + 1 || (theirs == largest + 1 && other >= me))
                break;
        }
    }
}

static void *increment(void *argument)
{
    int me = number(argument);
    lock(me);
    counter++;
    numbers[me] = 0;
    return 0;
}

int main(void)
{
    run_team(THREADS, increment);
    assert(counter == THREADS); //~ BUG!
    return 0;
}
