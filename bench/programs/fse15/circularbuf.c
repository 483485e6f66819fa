// A sender fills a circular buffer with inputs, a receiver takes them out again; all under a lock.
// Verdict: unsafe (the receiver believes that whatever was sent is still there); safe with -DSAFE, which counts.
// Algorithm: the circular buffer of ESBMC's and SCTBench's collections. Rows circularbufbad1-2: MESSAGES = 5, 6.
// Exercises: indices that wrap, inputs that must come out as they went in.
#include "threads.h"

#ifndef MESSAGES
#define MESSAGES 5
#endif
#ifndef SIZE
#define SIZE 3
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int buffer[SIZE], first, next, n_held, was_sent;
static int messages[MESSAGES];

static int insert(int message)
{
    if (n_held == SIZE)
        return 0;
    buffer[next] = message;
    next = (next + 1) % SIZE;
    n_held++;
    was_sent = 1;
    return 1;
}

static int take(void)
{
    int message = buffer[first];
    first = (first + 1) % SIZE;
    n_held--;
    return message;
}

static void *send(void *unused)
{
    int n_sent = 0;
    for (int i = 0; i < MESSAGES; i++) {
        pthread_mutex_lock(&lock);
        n_sent += insert(messages[n_sent]);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *receive(void *unused)
{
    int n_received = 0;
    for (int i = 0; i < MESSAGES; i++) {
        pthread_mutex_lock(&lock);
#ifdef SAFE
        if (n_held > 0)
#else
        if (was_sent)
#endif
            assert(take() == messages[n_received++]);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    for (int i = 0; i < MESSAGES; i++) {
        messages[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(messages[i] != 0);
    }
    run_pair(send, receive);
    return 0;
}
