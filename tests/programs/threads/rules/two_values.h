/* The programs of this folder need a state that is visited twice, first with a value that is harmless and later with one
   that is not: two threads write `x`, and the order that the search tries first ends with zero. */
#ifndef TWO_VALUES_H
#define TWO_VALUES_H

#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *write_one(void *unused)
{
    x = 1;
    return unused;
}

static void *write_zero(void *unused)
{
    x = 0;
    return unused;
}

/* Runs two threads to their ends. */
static void run_both(void *(*first)(void *), void *(*second)(void *))
{
    pthread_t a, b;
    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}

#endif
