// One thread pushes inputs onto a stack, another pops; all under a lock.
// Verdict: unsafe (the flag that something was pushed is never taken back); safe with -DSAFE, which looks at the top.
// Algorithm: stack of SV-COMP's pthread category. Row stackfalse: SIZE = 5.
// Exercises: critical sections whose order decides branches, an array whose content does not matter.
#include "threads.h"

#ifndef SIZE
#define SIZE 5
#endif

static int stack[SIZE], top, was_pushed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void push(int value)
{
    assert(top < SIZE);
    stack[top++] = value;
}

static int pop(void)
{
    assert(top > 0);
    return stack[--top];
}

static void *fill(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        unsigned value = __VERIFIER_nondet_uint() % SIZE;
        pthread_mutex_lock(&lock);
        push(value);
        was_pushed = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *empty(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
#ifdef SAFE
        if (top > 0)
#else
        if (was_pushed)
#endif
            pop();
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    run_pair(fill, empty);
    return 0;
}
