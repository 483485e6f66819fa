// Two threads add each other's number to their own, N times. Every interleaving adds up something else, and is a bound on
// another sum at the end; of these the strongest are enough, so that the number of executions grows with the square of N.
// Numbers that overflow are outside such bounds: with -DFIRST=0x20000000 some do.
//@ verdict: safe
//@ rev n4: --reduce ag
//@ clang[n4]: -DN=4 -DLIMIT=55
//@ executions[n4]: total=44
//@ rev n8: --reduce ag
//@ clang[n8]: -DN=8 -DLIMIT=2584
//@ executions[n8]: total=156
//@ rev n16: --reduce ag
//@ clang[n16]: -DN=16 -DLIMIT=5702887
//@ executions[n16]: total=572
//@ rev too_low: --reduce ag --all-bugs
//@ clang[too_low]: -DN=8 -DLIMIT=2583
//@ verdict[too_low]: unsafe(assert)
//@ rev overflow: --reduce ag
//@ clang[overflow]: -DN=3 -DLIMIT=0x7fffffff -DFIRST=0x20000000
//@ verdict[overflow]: unsafe(assert)
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 4
#define LIMIT 55
#endif
#ifndef FIRST
#define FIRST 1
#endif

static unsigned left = FIRST, right = FIRST;

static void *add_to_left(void *unused)
{
    for (int i = 0; i < N; i++)
        left += right;
    return unused;
}

static void *add_to_right(void *unused)
{
    for (int i = 0; i < N; i++)
        right += left;
    return unused;
}

int main(void)
{
    pthread_t threads[2];
    pthread_create(&threads[0], 0, add_to_left, 0);
    pthread_create(&threads[1], 0, add_to_right, 0);
    pthread_join(threads[0], 0);
    pthread_join(threads[1], 0);
    assert(left <= LIMIT && right <= LIMIT); //~ BUG!
    return 0;
}
