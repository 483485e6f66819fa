// SETTERS threads write two numbers one after the other, CHECKERS threads look whether both are old or both are new.
// Verdict: unsafe (a checker can come between the two writes); safe with -DSAFE, which locks.
// Algorithm: reorder_2 of SV-COMP's pthread category. Rows reorder2false1a-1c: 1, 2, 3 setters, one checker;
// 2a-2b: 1 and 2 setters that write ROUNDS = 2 times, a checker that looks CHECKS = 2 times. Also Figure 9.
// Exercises: growth with the number of threads that do the same.
#include "threads.h"

#ifndef SETTERS
#define SETTERS 1
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif
#ifndef CHECKS
#define CHECKS 1
#endif
#ifndef ROUNDS
#define ROUNDS 1
#endif

static int a, b;

#ifdef SAFE
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)
#else
#define LOCK (void)0
#define UNLOCK (void)0
#endif

static void *set(void *unused)
{
    for (int i = 1; i <= ROUNDS; i++) {
        LOCK;
        a = i;
        b = -i;
        UNLOCK;
    }
    return unused;
}

static void *check(void *unused)
{
    for (int i = 0; i < CHECKS; i++) {
        LOCK;
        int sum = a;
        sum += b;
        UNLOCK;
        assert(sum == 0);
    }
    return unused;
}

int main(void)
{
    pthread_t setters[SETTERS], checkers[CHECKERS];
    start(setters, SETTERS, 0, set);
    start(checkers, CHECKERS, 0, check);
    join(setters, SETTERS);
    join(checkers, CHECKERS);
    return 0;
}
