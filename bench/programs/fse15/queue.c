// One thread puts inputs into a queue and remembers them, another takes them out and compares; all under a lock, and by
// turns after the first two elements.
// Verdict: unsafe (rounds in which nothing could be taken are counted, too); safe with -DSAFE, which counts elements.
// Algorithm: queue of SV-COMP's pthread category. Row queuefalse: SIZE = 5.
// Exercises: a data structure passed by pointer, inputs compared with themselves, flags that pass the turn.
#include "threads.h"

#ifndef SIZE
#define SIZE 5
#endif

typedef struct {
    int elements[SIZE];
    int head, tail;
} Queue;

static Queue queue;
static int stored[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int may_put = 1, may_take;

static void put(Queue *q, int element)
{
    q->elements[q->tail] = element;
    q->tail = (q->tail + 1) % SIZE;
}

static int take(Queue *q)
{
    int element = q->elements[q->head];
    q->head = (q->head + 1) % SIZE;
    return element;
}

static void *produce(void *unused)
{
    int n_put = 0;
    for (int i = 0; i < SIZE; i++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        if (may_put) {
            stored[n_put++] = value;
            put(&queue, value);
            may_put = i == 0;
            may_take = 1;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consume(void *unused)
{
    int n_taken = 0;
    for (int i = 0; i < SIZE; i++) {
        pthread_mutex_lock(&lock);
        if (may_take) {
            assert(take(&queue) == stored[n_taken]);
            may_take = 0;
            may_put = 1;
#ifdef SAFE
            n_taken++;
#endif
        }
#ifndef SAFE
        n_taken++;
#endif
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    run_pair(produce, consume);
    return 0;
}
