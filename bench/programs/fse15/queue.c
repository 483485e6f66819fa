// One thread puts inputs into a queue and remembers them, another takes them out and compares; all under a lock.
// Verdict: unsafe (both go by flags that are set for the first element only); safe with -DSAFE, which counts.
// Algorithm: queue of SV-COMP's pthread category. Row queuefalse: SIZE = 5.
// Exercises: a data structure passed by pointer, inputs compared with themselves.
#include "threads.h"

#ifndef SIZE
#define SIZE 5
#endif

typedef struct {
    int elements[SIZE];
    int head, tail, n_held;
} Queue;

static Queue queue;
static int stored[SIZE];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int may_put = 1, may_take;

static int is_empty(const Queue *q)
{
    return q->n_held == 0;
}

static int put(Queue *q, int element)
{
    if (q->n_held == SIZE)
        return 0;
    q->elements[q->tail] = element;
    q->tail = (q->tail + 1) % SIZE;
    q->n_held++;
    return 1;
}

static int take(Queue *q)
{
    int element = q->elements[q->head];
    q->head = (q->head + 1) % SIZE;
    q->n_held--;
    return element;
}

static void *produce(void *unused)
{
    for (int i = 0; i < SIZE; i++) {
        int value = __VERIFIER_nondet_int();
        pthread_mutex_lock(&lock);
        if (may_put) {
            stored[i] = value;
            assert(put(&queue, value));
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
#ifdef SAFE
        if (!is_empty(&queue)) {
#else
        if (may_take) {
#endif
            assert(!is_empty(&queue));
            assert(take(&queue) == stored[n_taken++]);
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    run_pair(produce, consume);
    return 0;
}
